package io.bucketwright.cosi.sidecar;

import io.bucketwright.store.SecretValue;
import java.util.Map;

/** The Secret that a driver is to work with, as far as it may be seen. */
sealed interface SecretView {

    /** What of it a failure depends on. */
    String version();

    /**
     * It can be sent.
     *
     * @param values empty if the driver has credentials of its own
     */
    record Usable(String version, Map<String, SecretValue> values) implements SecretView {}

    /** It cannot, and why. */
    record Unusable(String message) implements SecretView {
        @Override
        public String version() {
            return "unusable";
        }
    }
}
