package io.bucketwright.store.s3;

import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.model.GetBucketAclResponse;
import software.amazon.awssdk.services.s3.model.Grantee;
import software.amazon.awssdk.services.s3.model.ObjectOwnership;
import software.amazon.awssdk.services.s3.model.Owner;
import software.amazon.awssdk.services.s3.model.OwnershipControls;
import software.amazon.awssdk.services.s3.model.OwnershipControlsRule;
import software.amazon.awssdk.services.s3.model.PutBucketAclResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The ACLs of buckets. */
record BucketAcls(SessionBucket bucket) {

    void put(CannedAcl acl) {
        if (acl != CannedAcl.PRIVATE) {
            // New buckets reject ACLs until object ownership is changed.
            setOwnership("allow ACLs on " + bucket, ObjectOwnership.BUCKET_OWNER_PREFERRED);
        }
        bucket.send("set the ACL of " + bucket, s3 -> {
            try {
                return s3.putBucketAcl(request -> request.bucket(bucket.text()).acl(acl.s3Name()));
            } catch (S3Exception e) {
                if (acl == CannedAcl.PRIVATE && StoreRequest.code(e).equals("AccessControlListNotSupported")) {
                    // A bucket that rejects ACLs is private already.
                    return PutBucketAclResponse.builder().build();
                }
                throw e;
            }
        });
    }

    /** Makes the bucket reject ACLs, as a new one does. */
    void disable() {
        setOwnership("disable ACLs on " + bucket, ObjectOwnership.BUCKET_OWNER_ENFORCED);
    }

    private void setOwnership(String action, ObjectOwnership ownership) {
        OwnershipControlsRule rule =
                OwnershipControlsRule.builder().objectOwnership(ownership).build();
        bucket.send(
                action,
                s3 -> s3.putBucketOwnershipControls(request -> request.bucket(bucket.text())
                        .ownershipControls(
                                OwnershipControls.builder().rules(rule).build())));
    }

    /** Whether the ACL gives access to anybody but the owner of the bucket. */
    boolean allowsAccess() {
        try {
            GetBucketAclResponse acl = bucket.send(
                    "read the ACL of " + bucket, s3 -> s3.getBucketAcl(request -> request.bucket(bucket.text())));
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
}
