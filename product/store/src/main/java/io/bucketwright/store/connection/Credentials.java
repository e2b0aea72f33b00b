package io.bucketwright.store.connection;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import java.util.Optional;

/**
 * The credentials of an application's principal. Never the administrator's.
 *
 * @param id by which a caller reports these credentials as published; empty if there are none
 * @param values the credentials by the keys that applications read
 */
public record Credentials(String id, Map<String, SecretValue> values) {

    /** No credentials, for {@code AccessMode.NONE}. */
    public static final Credentials NONE = new Credentials("", Map.of());

    public Credentials {
        values = Map.copyOf(values);
        if (id.isBlank() != values.isEmpty() || values.values().stream().anyMatch(SecretValue::isEmpty)) {
            throw new Invalid("credentials need an id and values");
        }
    }

    /** The id; empty if there are no credentials. */
    public Optional<String> keyId() {
        return Optional.of(id).filter(key -> !key.isEmpty());
    }

    /** An access key of S3, or an HMAC key of another store. */
    public record AccessKey(String id, SecretValue secret) {
        public AccessKey {
            if (id.isBlank() || secret.isEmpty()) {
                throw new Invalid("an access key needs an id and a secret");
            }
        }

        /** With both spellings of the keys. */
        public Credentials credentials() {
            return new Credentials(
                    id,
                    Map.of(
                            ConnectionDataKey.ACCESS_KEY_ID.key(),
                            SecretValue.of(id),
                            ConnectionDataKey.SECRET_ACCESS_KEY.key(),
                            secret,
                            ConnectionDataKey.AWS_ACCESS_KEY_ID.key(),
                            SecretValue.of(id),
                            ConnectionDataKey.AWS_SECRET_ACCESS_KEY.key(),
                            secret));
        }
    }
}
