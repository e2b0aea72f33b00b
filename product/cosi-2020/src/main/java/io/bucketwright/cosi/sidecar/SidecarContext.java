package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.engine.ControllerContext;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What both controllers of a sidecar use. */
record SidecarContext(
        ControllerContext runtime,
        Provisioner provisioner,
        int workers,
        SidecarCaches caches,
        ProvisionerSecrets secrets,
        DriverConnection driver) {

    /** What a call for this Bucket depends on now. */
    public DriverPreconditions preconditions(@Nullable Bucket bucket) {
        return new DriverPreconditions(
                driver.state(),
                driver.connection(),
                bucket == null ? new ProvisionerSecret.Usable("", Map.of()) : secrets.of(bucket));
    }

    /** What a call for this BucketAccess depends on now; its Bucket is unknown if it was deleted by force. */
    public DriverPreconditions preconditions(BucketAccess access, @Nullable Bucket bucket) {
        return new DriverPreconditions(
                driver.state(),
                driver.connection(),
                bucket == null ? new ProvisionerSecret.Usable("", Map.of()) : secrets.of(access, bucket));
    }

    /** The BucketAccesses whose provisioner secret this is. */
    public List<ObjectKey> accessesWith(Secret secret) {
        return accesses((access, bucket) -> secrets.isOf(secret, access, bucket));
    }

    /** The BucketAccesses whose provisioner secret is in this namespace. */
    public List<ObjectKey> accessesWithSecretIn(String namespace) {
        return accesses((access, bucket) -> secrets.isIn(namespace, access, bucket));
    }

    private List<ObjectKey> accesses(BiPredicate<BucketAccess, Bucket> which) {
        return caches.accesses.list().stream()
                .filter(access -> caches.buckets
                        .get("", access.getSpec().bucketName())
                        .filter(bucket -> which.test(access, bucket))
                        .isPresent())
                .map(ObjectKey::of)
                .toList();
    }

    /** The Buckets whose provisioner secret this is. */
    public List<ObjectKey> bucketsWith(Secret secret) {
        return buckets(bucket -> secrets.isOf(secret, bucket));
    }

    /** The Buckets whose provisioner secret is in this namespace. */
    public List<ObjectKey> bucketsWithSecretIn(String namespace) {
        return buckets(bucket -> secrets.isIn(namespace, bucket));
    }

    private List<ObjectKey> buckets(Predicate<Bucket> which) {
        return caches.buckets.list().stream().filter(which).map(ObjectKey::of).toList();
    }
}
