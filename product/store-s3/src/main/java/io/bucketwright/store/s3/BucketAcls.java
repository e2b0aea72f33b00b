package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetBucketAclResponse;
import software.amazon.awssdk.services.s3.model.Grantee;
import software.amazon.awssdk.services.s3.model.ObjectOwnership;
import software.amazon.awssdk.services.s3.model.Owner;
import software.amazon.awssdk.services.s3.model.OwnershipControls;
import software.amazon.awssdk.services.s3.model.OwnershipControlsRule;
import software.amazon.awssdk.services.s3.model.PutBucketAclRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The ACLs of buckets. */
record BucketAcls(S3Client s3) {

    void put(StoreCall call, BucketName bucket, CannedAcl acl) {
        if (acl != CannedAcl.PRIVATE) {
            // New buckets reject ACLs until object ownership is changed.
            setOwnership(call, "allow ACLs on " + bucket, bucket, ObjectOwnership.BUCKET_OWNER_PREFERRED);
        }
        StoreRequest.send(
                call,
                "set the ACL of " + bucket,
                limits -> put(
                        acl,
                        PutBucketAclRequest.builder()
                                .bucket(bucket.text())
                                .acl(acl.s3Name())
                                .overrideConfiguration(limits)
                                .build()));
    }

    /** Makes the bucket reject ACLs, as a new one does. */
    void disable(StoreCall call, BucketName bucket) {
        setOwnership(call, "disable ACLs on " + bucket, bucket, ObjectOwnership.BUCKET_OWNER_ENFORCED);
    }

    private void setOwnership(StoreCall call, String action, BucketName bucket, ObjectOwnership ownership) {
        OwnershipControlsRule rule =
                OwnershipControlsRule.builder().objectOwnership(ownership).build();
        StoreRequest.send(
                call,
                action,
                limits -> s3.putBucketOwnershipControls(request -> request.bucket(bucket.text())
                        .ownershipControls(
                                OwnershipControls.builder().rules(rule).build())
                        .overrideConfiguration(limits)));
    }

    /** Whether the ACL gives access to anybody but the owner of the bucket. */
    boolean allowsAccess(StoreCall call, BucketName bucket) {
        try {
            GetBucketAclResponse acl = StoreRequest.send(
                    call,
                    "read the ACL of " + bucket,
                    limits -> s3.getBucketAcl(
                            request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
            return acl.grants().stream()
                    .anyMatch(grant ->
                            acl.owner() == null || grant.grantee() == null || isOther(grant.grantee(), acl.owner()));
        } catch (Unsupported noAcls) {
            return false;
        }
    }

    /** Stores without ACLs, such as MinIO, respond with a grant to a user without id or name: to nobody. */
    private static boolean isOther(Grantee grantee, Owner owner) {
        boolean named = Stream.of(grantee.id(), grantee.uri(), grantee.emailAddress(), grantee.displayName())
                .anyMatch(name -> name != null && !name.isEmpty());
        return named && !Objects.equals(grantee.id(), owner.id());
    }

    /** A bucket that rejects ACLs is private already. */
    private boolean put(CannedAcl acl, PutBucketAclRequest request) {
        try {
            s3.putBucketAcl(request);
        } catch (S3Exception e) {
            if (acl != CannedAcl.PRIVATE || !StoreRequest.code(e).equals("AccessControlListNotSupported")) {
                throw e;
            }
        }
        return true;
    }
}
