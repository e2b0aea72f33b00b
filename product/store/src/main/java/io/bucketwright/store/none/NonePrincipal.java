package io.bucketwright.store.none;

import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** A principal and the ids of its access keys. The secrets are random and not stored. */
final class NonePrincipal {
    private static final int MAX_KEYS = 2;
    private static final int SECRET_BITS = 200;

    /** Of one or two keys, and of very many principals in a benchmark. */
    private List<String> keys = List.of();

    AccessKey newKey(Set<String> published, Random random) {
        retire(published);
        if (keys.size() >= MAX_KEYS) {
            throw new Invalid("the keys " + keys + " are both published; retire one of them first");
        }
        AccessKey key = new AccessKey("NONE" + randomText(64, random), SecretValue.of(randomText(SECRET_BITS, random)));
        keys = Stream.concat(keys.stream(), Stream.of(key.id())).toList();
        return key;
    }

    void retire(Set<String> kept) {
        keys = keys.stream().filter(kept::contains).toList();
    }

    private static String randomText(int bits, Random random) {
        return new BigInteger(bits, random).toString(Character.MAX_RADIX);
    }
}
