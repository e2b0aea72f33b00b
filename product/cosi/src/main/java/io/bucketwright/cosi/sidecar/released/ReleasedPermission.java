package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.Permission;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import java.util.Optional;

/**
 * Whether an access belongs to a bucket, and whether it may be granted. Unlike the reference, the sidecar checks that the
 * Bucket is of its driver, and that it is bound to the claim that the access names.
 *
 * @param bucket that the claim names, of whatever driver
 */
record ReleasedPermission(
        ReleasedSidecarCaches caches,
        ReleasedBucketAccess access,
        Optional<ReleasedBucketAccessClass> accessClass,
        Optional<BucketClaim> claim,
        Optional<ReleasedBucket> bucket) {

    static ReleasedPermission of(ReleasedSidecarCaches caches, ReleasedBucketAccess access) {
        return new ReleasedPermission(
                caches, access, caches.classOf(access), caches.claimOf(access), caches.bucketOf(access));
    }

    /** Whether grants of the access on the bucket stay. A class that was deleted ends nothing: it may be created again. */
    boolean isEntitled() {
        return accessClass.filter(found -> !caches.isServed(found)).isEmpty()
                && bucket.filter(caches::isServed)
                        .flatMap(found -> claim.filter(ClaimReference.of(found)::names))
                        .isPresent();
    }

    Permission decide(boolean isRecorded) {
        if (accessClass.isEmpty()) {
            return bucket.filter(caches::isServed).isPresent()
                    ? new Permission.Waiting("BucketAccessClass "
                            + SafeText.quoted(access.spec().bucketAccessClassName()) + " does not exist. Create it.")
                    : new Permission.Elsewhere();
        }
        if (!caches.isServed(accessClass.get())) {
            return new Permission.Elsewhere();
        }
        if (access.spec().credentialsSecretName().isEmpty()) {
            return rejected("spec.credentialsSecretName is empty, so there is no Secret for the credentials. Set it.");
        }
        if (accessClass.get().getAuthenticationType().equals("IAM")
                && access.spec().serviceAccountName().isEmpty()) {
            return rejected("authenticationType of the BucketAccessClass is IAM, which needs spec.serviceAccountName."
                    + " Set it.");
        }
        String driver = Metadata.annotation(access, ReleasedNames.DRIVER);
        boolean isElsewhere = !driver.isEmpty() && !caches.isDriver(driver);
        if (isElsewhere && !isRecorded && !access.status().accountID().isEmpty()) {
            return new Permission.Waiting("The sidecar of driver " + SafeText.quoted(driver)
                    + " has not revoked the access that it granted. Start it.");
        }
        return ofClaim(accessClass.get());
    }

    private Permission ofClaim(ReleasedBucketAccessClass found) {
        String name = access.spec().bucketClaimName();
        if (claim.filter(each -> !Metadata.isBeingDeleted(each)).isEmpty()) {
            return new Permission.Waiting(
                    "BucketClaim " + SafeText.quoted(name) + " does not exist or is being deleted.");
        }
        if (bucket.isEmpty()) {
            return new Permission.Waiting("BucketClaim " + name + " has no Bucket yet. See its events.");
        }
        ReleasedBucket granting = bucket.get();
        if (!ClaimReference.of(granting).names(claim.get())) {
            return new Permission.Rejected(
                    ProvisionerReason.BUCKET_DOES_NOT_EXIST.text(),
                    "Bucket " + granting.getMetadata().getName() + " is not bound to BucketClaim " + name
                            + ", so no access is granted. An administrator binds it in spec.bucketClaim of the Bucket.");
        }
        if (!caches.isServed(granting)) {
            return rejected("BucketAccessClass " + access.spec().bucketAccessClassName() + " is for driver "
                    + SafeText.quoted(found.getDriverName()) + ", but Bucket "
                    + granting.getMetadata().getName() + " is for driver "
                    + SafeText.quoted(granting.spec().driverName()) + ". Use a BucketAccessClass for that driver.");
        }
        boolean ready = granting.status().bucketReady()
                && !granting.status().bucketID().isEmpty()
                && !Metadata.isBeingDeleted(granting);
        return ready
                ? permitted(found, granting)
                : new Permission.Waiting("Bucket " + granting.getMetadata().getName()
                        + " is not ready. See the events of BucketClaim " + name + ".");
    }

    private static Permission permitted(ReleasedBucketAccessClass accessClass, ReleasedBucket bucket) {
        return new Permission.Permitted(
                accessClass.getParameters(),
                ReleasedOrders.authentication(accessClass.getAuthenticationType()),
                new Permission.Overlap(
                        Metadata.annotation(accessClass, ReleasedNames.ROTATION_OVERLAP),
                        "The annotation " + ReleasedNames.ROTATION_OVERLAP),
                accessClass.getMetadata().getUid() + " "
                        + accessClass.getMetadata().getResourceVersion() + " "
                        + Metadata.inputs(
                                bucket, ReleasedNames.GRANTS, ReleasedNames.BUCKET_ID, ReleasedNames.BUCKET_UID)
                        + " " + bucket.getMetadata().getGeneration() + " "
                        + bucket.status().bucketID());
    }

    private static Permission rejected(String message) {
        return new Permission.Rejected(ProvisionerReason.INVALID_ARGUMENT.text(), message);
    }
}
