package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.sidecar.cache.ProvisionerSecret;
import io.bucketwright.cosi.sidecar.cache.ProvisionerSecrets;
import io.bucketwright.cosi.sidecar.cache.SidecarCaches;
import io.bucketwright.runtime.engine.ControllerContext;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What both controllers of a sidecar use. */
public record SidecarContext(
        ControllerContext runtime,
        Provisioner provisioner,
        int workers,
        SidecarCaches caches,
        ProvisionerSecrets secrets,
        DriverConnection driver,
        DriverCalls calls,
        DriverRequests requests) {

    /** What a call for this Bucket depends on now. */
    public DriverPreconditions preconditions(@Nullable Bucket bucket) {
        return new DriverPreconditions(
                driver.state(),
                driver.connection(),
                bucket == null ? new ProvisionerSecret.Usable("", Map.of()) : secrets.of(bucket));
    }

    /** The Buckets whose provisioner secret this is. */
    public List<Bucket> bucketsWith(Secret secret) {
        return caches.buckets.list().stream()
                .filter(bucket -> secrets.isOf(secret, bucket))
                .toList();
    }
}
