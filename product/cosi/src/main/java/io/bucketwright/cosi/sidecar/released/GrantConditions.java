package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;

/**
 * Whether the driver may be asked to grant an access. Unlike the reference, the sidecar checks that the Bucket is of its
 * driver, and that it is bound to a claim of the namespace of the access.
 */
sealed interface GrantConditions {

    record Fulfilled(ReleasedBucketAccessClass accessClass, ReleasedBucket bucket) implements GrantConditions {}

    /** Another driver serves it. */
    record Elsewhere() implements GrantConditions {}

    /** Something is missing, which a watch will show. It is reported if it takes long. */
    record Waiting(String message) implements GrantConditions {
        String event() {
            return ReleasedReason.WAITING_FOR_BUCKET;
        }
    }

    /** Somebody must change something. */
    record Rejected(ProvisionerReason reason, String message) implements GrantConditions {
        String event() {
            return DriverMethod.GRANT_ACCESS.eventReason();
        }
    }

    static GrantConditions of(ReleasedAccessObservation observed, ReleasedBucketAccess access) {
        if (observed.accessClass().isEmpty()) {
            String name = access.spec().bucketAccessClassName();
            return observed.bucket().filter(observed::isServed).isPresent()
                    ? new Waiting("BucketAccessClass " + SafeText.quoted(name) + " does not exist. Create it.")
                    : new Elsewhere();
        }
        ReleasedBucketAccessClass accessClass = observed.accessClass().get();
        if (!observed.isServed(accessClass)) {
            return new Elsewhere();
        }
        if (access.spec().credentialsSecretName().isEmpty()) {
            return new Rejected(
                    ProvisionerReason.INVALID_ARGUMENT,
                    "spec.credentialsSecretName is empty, so there is no Secret for the credentials. Set it.");
        }
        if (accessClass.getAuthenticationType().equals("IAM")
                && access.spec().serviceAccountName().isEmpty()) {
            return new Rejected(
                    ProvisionerReason.INVALID_ARGUMENT,
                    "authenticationType of the BucketAccessClass is IAM, which needs spec.serviceAccountName. Set it.");
        }
        return ofClaim(observed, access, accessClass);
    }

    private static GrantConditions ofClaim(
            ReleasedAccessObservation observed, ReleasedBucketAccess access, ReleasedBucketAccessClass accessClass) {
        String name = access.spec().bucketClaimName();
        if (observed.claim().filter(claim -> !Metadata.isBeingDeleted(claim)).isEmpty()) {
            return new Waiting("BucketClaim " + SafeText.quoted(name) + " does not exist or is being deleted.");
        }
        BucketClaim claim = observed.claim().get();
        if (observed.bucket().isEmpty()) {
            return new Waiting("BucketClaim " + name + " has no Bucket yet. See its events.");
        }
        ReleasedBucket bucket = observed.bucket().get();
        if (!ClaimReference.of(bucket).names(claim)) {
            return new Rejected(
                    ProvisionerReason.BUCKET_DOES_NOT_EXIST,
                    "Bucket " + bucket.getMetadata().getName() + " is not bound to BucketClaim " + name
                            + ", so no access is granted. An administrator binds it in spec.bucketClaim of the Bucket.");
        }
        if (!observed.isServed(bucket)) {
            return new Rejected(
                    ProvisionerReason.INVALID_ARGUMENT,
                    "BucketAccessClass " + access.spec().bucketAccessClassName() + " is for driver "
                            + SafeText.quoted(accessClass.getDriverName()) + ", but Bucket "
                            + bucket.getMetadata().getName() + " is for driver "
                            + SafeText.quoted(bucket.spec().driverName())
                            + ". Use a BucketAccessClass for that driver.");
        }
        boolean ready = bucket.status().bucketReady()
                && !bucket.status().bucketID().isEmpty()
                && !Metadata.isBeingDeleted(bucket);
        return ready
                ? new Fulfilled(accessClass, bucket)
                : new Waiting("Bucket " + bucket.getMetadata().getName()
                        + " is not ready. See the events of BucketClaim " + name + ".");
    }
}
