package io.bucketwright.store.connection;


import io.bucketwright.store.access.AccessMode;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Optional;

/** What an application proves itself with: always its own principal's, never the administrator's. */
public sealed interface Credentials {

    /** The public name of this credential, by which a caller says that it is published; empty if there is none. */
    Optional<String> keyId();

    /** A pair of keys as S3 has them; also the HMAC keys of other stores. */
    record AccessKey(String id, SecretValue secret) implements Credentials {
        public AccessKey {
            if (id.isBlank() || secret.isEmpty()) {
                throw new Invalid("an access key needs an id and a secret");
            }
        }

        @Override
        public Optional<String> keyId() {
            return Optional.of(id);
        }
    }

    /**
     * A shared access signature, as Azure has it.
     *
     * @param policy the id of the stored access policy that the token stands on, and dies with
     */
    record SasToken(String policy, SecretValue token) implements Credentials {
        public SasToken {
            if (policy.isBlank() || token.isEmpty()) {
                throw new Invalid("a SAS token needs a policy and a token");
            }
        }

        @Override
        public Optional<String> keyId() {
            return Optional.of(policy);
        }
    }

    /**
     * A service account, as Google has it.
     *
     * @param json the key file of a service account
     */
    record ServiceAccountKey(String id, SecretValue json) implements Credentials {
        public ServiceAccountKey {
            if (id.isBlank() || json.isEmpty()) {
                throw new Invalid("a service account key needs an id and a key file");
            }
        }

        @Override
        public Optional<String> keyId() {
            return Optional.of(id);
        }
    }

    /** None were asked for: {@link AccessMode#NONE}. */
    record None() implements Credentials {
        @Override
        public Optional<String> keyId() {
            return Optional.empty();
        }
    }
}
