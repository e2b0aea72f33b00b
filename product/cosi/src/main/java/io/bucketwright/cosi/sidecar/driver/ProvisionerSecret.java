package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.store.connection.SecretValue;
import java.util.Map;

/** The provisioner secret of a Bucket: the Secret whose data is sent to the driver with each call. */
public sealed interface ProvisionerSecret {

    /** Changes with the content; a failed call is repeated when it does. */
    String version();

    /**
     * The data can be sent.
     *
     * @param values empty if the driver has its own credentials
     */
    record Usable(String version, Map<String, SecretValue> values) implements ProvisionerSecret {}

    /** The Secret is missing or malformed, or the parameters name none that the sidecar may read. */
    record Unusable(String message) implements ProvisionerSecret {
        @Override
        public String version() {
            return "unusable";
        }
    }
}
