package io.bucketwright.store.none;

import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the store remembers. */
final class Remembered {

    private Remembered() {}

    /** Whose a bucket is. */
    sealed interface Mark {
        record Unmarked() implements Mark {}

        record Owned(BucketOwner owner) implements Mark {}

        record Released(BucketOwner owner) implements Mark {}

        record Adopted(BucketOwner owner) implements Mark {}
    }

    /** A principal and the ids of its keys; the secrets are made up and forgotten. */
    static final class Principal {
        private static final int MOST_KEYS = 2;
        private static final int SECRET_BITS = 200;

        private final BucketOwner owner;
        private final List<String> keys = new ArrayList<>();
        private final SecureRandom random = new SecureRandom();

        Principal(BucketOwner owner) {
            this.owner = owner;
        }

        BucketOwner owner() {
            return owner;
        }

        AccessKey newKey(Set<String> published) {
            retire(published);
            if (keys.size() >= MOST_KEYS) {
                throw new Invalid("the keys " + keys + " are both published: retire one first");
            }
            AccessKey key = new AccessKey("NONE" + text(64), SecretValue.of(text(SECRET_BITS)));
            keys.add(key.id());
            return key;
        }

        void retire(Set<String> kept) {
            keys.retainAll(kept);
        }

        private String text(int bits) {
            return new BigInteger(bits, random).toString(Character.MAX_RADIX);
        }
    }
}
