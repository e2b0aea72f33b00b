package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.cache.ProvisionerSecret;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Calls;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.engine.ControllerContext;
import java.util.Map;

/**
 * What both controllers use.
 *
 * @param driverName of the driver whose objects they reconcile
 */
record V1alpha2SidecarContext(
        ControllerContext runtime,
        String driverName,
        int workers,
        DriverConnection connection,
        V1alpha2Calls calls,
        ObjectCache<V1alpha2Bucket> buckets,
        ObjectCache<V1alpha2Access> accesses) {

    static V1alpha2SidecarContext of(
            ControllerContext runtime,
            String driverName,
            int workers,
            DriverConnection connection,
            V1alpha2Calls calls) {
        return new V1alpha2SidecarContext(
                runtime,
                driverName,
                workers,
                connection,
                calls,
                runtime.caches().unlimited(V1alpha2Bucket.class, Scope.everything()),
                runtime.caches().of(V1alpha2Access.class, Scope.everything()));
    }

    DriverPreconditions preconditions() {
        return new DriverPreconditions(
                connection.state(), connection.connection(), new ProvisionerSecret.Usable("", Map.of()));
    }

    /**
     * Whether the driver refused this call with these inputs, and has certainly not done what it was asked to do. After any
     * other error, such as an internal one, it may have.
     */
    static boolean isRefusal(FailedAttempt attempt, DriverMethod method, String inputs) {
        return attempt.operation().equals(method)
                && attempt.inputs().equals(inputs)
                && !attempt.problem().isRetried();
    }
}
