package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.runtime.engine.ControllerContext;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
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
    public List<BucketAccess> accessesWith(Secret secret) {
        return caches.accesses.list().stream()
                .filter(access -> caches.buckets
                        .get("", access.getSpec().bucketName())
                        .filter(bucket -> secrets.isOf(secret, access, bucket))
                        .isPresent())
                .toList();
    }

    /** The Buckets whose provisioner secret this is. */
    public List<Bucket> bucketsWith(Secret secret) {
        return caches.buckets.list().stream()
                .filter(bucket -> secrets.isOf(secret, bucket))
                .toList();
    }
}
