package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import java.util.Map;

/** Whether the driver may be asked to grant an access now. */
public sealed interface Permission {

    /**
     * It may.
     *
     * @param parameters of the class
     * @param overlap how long the class keeps previous credentials valid
     * @param inputs the versions of the objects that the order depends on
     */
    record Permitted(
            Map<String, String> parameters, AccountAuthentication authentication, Overlap overlap, String inputs)
            implements Permission {
        public Permitted {
            parameters = Map.copyOf(parameters);
        }
    }

    /**
     * How long previous credentials stay valid.
     *
     * @param text as written, empty for the default
     * @param setting where it is written, the begin of a sentence
     */
    record Overlap(String text, String setting) {}

    /** Another driver serves the access. */
    record Elsewhere() implements Permission {}

    /** Something is missing, which a watch will show. It is reported if it takes long. */
    record Waiting(String message) implements Permission {}

    /** Somebody must change something. */
    record Rejected(String reason, String message) implements Permission {}
}
