package io.bucketwright.cosi.sidecar;

import io.bucketwright.store.SecretValue;
import java.util.Map;

/**
 * Credentials on their way into the Secret.
 *
 * @param rotatedAt the rotation that they answer, empty if none was asked for
 */
record Handed(Map<String, SecretValue> values, String rotatedAt) {

    Handed {
        values = Map.copyOf(values);
    }
}
