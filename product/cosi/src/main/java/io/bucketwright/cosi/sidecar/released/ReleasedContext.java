package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.core.AccessObservation.Settings;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.runtime.engine.ControllerContext;
import java.util.Map;

/**
 * What both controllers for released kinds use.
 *
 * @param driverName of the driver whose objects they reconcile
 * @param settings how the driver is treated before any ledger shows more
 */
record ReleasedContext(
        ControllerContext runtime,
        String driverName,
        int workers,
        ReleasedSidecarCaches caches,
        DriverConnection driver,
        Settings settings) {

    /** What a call depends on now. Released kinds have no provisioner secrets. */
    DriverPreconditions preconditions() {
        return new DriverPreconditions(driver.state(), driver.connection(), new ProvisionerSecret.Usable("", Map.of()));
    }
}
