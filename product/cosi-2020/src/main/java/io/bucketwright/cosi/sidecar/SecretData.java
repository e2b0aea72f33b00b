package io.bucketwright.cosi.sidecar;

import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Decodes and encodes the data of a Secret. */
final class SecretData {

    private SecretData() {}

    static Map<String, SecretValue> of(Secret secret) {
        Map<String, SecretValue> values = new HashMap<>();
        Optional.ofNullable(secret.getData())
                .orElse(Map.of())
                .forEach((key, value) -> values.put(
                        key, SecretValue.of(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8))));
        return values;
    }

    static Map<String, String> encoded(Map<String, SecretValue> values) {
        Map<String, String> data = new HashMap<>();
        values.forEach((key, value) ->
                data.put(key, Base64.getEncoder().encodeToString(value.reveal().getBytes(StandardCharsets.UTF_8))));
        return data;
    }
}
