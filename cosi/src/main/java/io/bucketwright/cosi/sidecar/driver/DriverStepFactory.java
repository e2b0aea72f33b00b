package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.store.connection.SecretValue;
import java.util.Map;

/** Makes the step that asks the driver, once nothing is in its way. */
@FunctionalInterface
public interface DriverStepFactory<S> {

    S step(Map<String, SecretValue> secrets, String inputs);
}
