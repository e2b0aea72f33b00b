package io.bucketwright.devtools.image;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 digest of a blob.
 *
 * @param hex 64 hexadecimal digits
 */
record Digest(String hex) {

    private static final String PREFIX = "sha256:";

    Digest {
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("'" + hex + "' is not a SHA-256 digest");
        }
    }

    static Digest of(byte[] content) {
        return of(algorithm(), content);
    }

    /** The digest of what the algorithm has read. */
    static Digest of(MessageDigest algorithm) {
        return new Digest(HexFormat.of().formatHex(algorithm.digest()));
    }

    private static Digest of(MessageDigest algorithm, byte[] content) {
        algorithm.update(content);
        return of(algorithm);
    }

    static Digest parse(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("'" + text + "' is not a SHA-256 digest");
        }
        return new Digest(text.substring(PREFIX.length()));
    }

    static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM does not support SHA-256, which every JVM must", e);
        }
    }

    /** The path of the blob in an OCI layout. */
    String blobPath() {
        return "blobs/sha256/" + hex;
    }

    @Override
    public String toString() {
        return PREFIX + hex;
    }
}
