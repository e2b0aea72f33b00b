package io.bucketwright.local;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Unguessable names and keys. */
final class RandomText {

    private RandomText() {}

    static String hex(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
