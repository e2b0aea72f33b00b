package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.store.connection.SecretValue;
import java.util.Map;

/** The Secret that a driver is to work with, as far as it may be seen. */
public sealed interface ProvisionerSecret {

    /** What of it a failure depends on. */
    String version();

    /**
     * It can be sent.
     *
     * @param values empty if the driver has credentials of its own
     */
    record Usable(String version, Map<String, SecretValue> values) implements ProvisionerSecret {}

    /** It cannot, and why. */
    record Unusable(String message) implements ProvisionerSecret {
        @Override
        public String version() {
            return "unusable";
        }
    }
}
