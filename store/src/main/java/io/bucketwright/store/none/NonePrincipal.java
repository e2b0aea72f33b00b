package io.bucketwright.store.none;

import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A principal and the ids of its access keys. The secrets are random and not stored. */
final class NonePrincipal {
    private static final int MAX_KEYS = 2;
    private static final int SECRET_BITS = 200;

    private final List<String> keys = new ArrayList<>();
    private final SecureRandom random = new SecureRandom();

    AccessKey newKey(Set<String> published) {
        retire(published);
        if (keys.size() >= MAX_KEYS) {
            throw new Invalid("the keys " + keys + " are both published; retire one of them first");
        }
        AccessKey key = new AccessKey("NONE" + randomText(64), SecretValue.of(randomText(SECRET_BITS)));
        keys.add(key.id());
        return key;
    }

    void retire(Set<String> kept) {
        keys.retainAll(kept);
    }

    private String randomText(int bits) {
        return new BigInteger(bits, random).toString(Character.MAX_RADIX);
    }
}
