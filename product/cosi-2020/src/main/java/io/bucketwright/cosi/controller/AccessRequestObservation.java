package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.controller.AccessSecrets.CopyState;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything the decision about one BucketAccessRequest depends on. It contains no secret value.
 *
 * @param namespaceUid of its namespace, empty if that is not in the cache
 * @param bucketRequest the BucketRequest of the same namespace through which it uses the Bucket
 * @param bucket the Bucket of its access, or, before there is an access, of the BucketRequest
 * @param access the one that was created for this request
 * @param nameTaken whether the name of its access is in use for another request
 * @param formerAccess whether that name is in use for a former request of the same name: a backup restored both
 * @param granted whether the provisioner's Secret exists
 * @param refusal why the API server refused the BucketAccess or the Secret in this reconciliation; empty if it did not
 * @param secret the state of the application's Secret
 */
record AccessRequestObservation(
        BucketAccessRequest request,
        String namespaceUid,
        Optional<BucketRequest> bucketRequest,
        Optional<Bucket> bucket,
        Optional<BucketAccessClass> accessClass,
        Optional<BucketAccess> access,
        boolean nameTaken,
        boolean formerAccess,
        boolean granted,
        String refusal,
        CopyState secret,
        Instant now) {}
