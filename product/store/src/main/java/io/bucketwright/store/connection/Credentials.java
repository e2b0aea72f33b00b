package io.bucketwright.store.connection;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Optional;

/** The credentials of an application's principal. Never the administrator's. */
public sealed interface Credentials {

    /** The id by which a caller reports these credentials as published; empty if there are none. */
    default Optional<String> keyId() {
        return switch (this) {
            case AccessKey key -> Optional.of(key.id());
            case SasToken sas -> Optional.of(sas.policy());
            case ServiceAccountKey key -> Optional.of(key.id());
            case None _ -> Optional.empty();
        };
    }

    /** An access key of S3, or an HMAC key of another store. */
    record AccessKey(String id, SecretValue secret) implements Credentials {
        public AccessKey {
            if (id.isBlank() || secret.isEmpty()) {
                throw new Invalid("an access key needs an id and a secret");
            }
        }
    }

    /**
     * A shared access signature of Azure.
     *
     * @param policy the id of the stored access policy; deleting the policy revokes the token
     */
    record SasToken(String policy, SecretValue token) implements Credentials {
        public SasToken {
            if (policy.isBlank() || token.isEmpty()) {
                throw new Invalid("a SAS token needs a policy and a token");
            }
        }
    }

    /**
     * The key of a Google service account.
     *
     * @param json the key file
     */
    record ServiceAccountKey(String id, SecretValue json) implements Credentials {
        public ServiceAccountKey {
            if (id.isBlank() || json.isEmpty()) {
                throw new Invalid("a service account key needs an id and a key file");
            }
        }
    }

    /** No credentials, for {@code AccessMode.NONE}. */
    record None() implements Credentials {}
}
