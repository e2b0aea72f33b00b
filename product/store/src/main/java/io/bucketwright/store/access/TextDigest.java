package io.bucketwright.store.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 digest of a text, from which names are derived that are too short for the text. */
public final class TextDigest {

    private final byte[] digest;

    private TextDigest(byte[] digest) {
        this.digest = digest;
    }

    public static TextDigest of(String text) {
        try {
            return new TextDigest(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** All 32 bytes. */
    public byte[] bytes() {
        return digest.clone();
    }

    /** The first bytes as hexadecimal digits. */
    public String hex(int bytes) {
        return HexFormat.of().formatHex(digest, 0, bytes);
    }
}
