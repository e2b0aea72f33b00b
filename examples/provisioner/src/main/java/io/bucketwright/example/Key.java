package io.bucketwright.example;

import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A key as its file contains it.
 *
 * @param owner the claim that it was created for
 * @param digest of the secret, which is not stored
 */
record Key(String owner, BucketName bucket, AccessMode mode, String digest) {

    static SecretValue newSecret() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return SecretValue.of(HexFormat.of().formatHex(bytes));
    }

    static String digest(String secret) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Empty if the key was deleted, or is not completely written yet. */
    static Optional<Key> read(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.size() < 4
                    ? Optional.empty()
                    : Optional.of(new Key(
                            lines.get(0),
                            new BucketName(lines.get(1)),
                            AccessMode.valueOf(lines.get(2)),
                            lines.get(3)));
        } catch (NoSuchFileException deleted) {
            return Optional.empty();
        }
    }

    String text() {
        return String.join("\n", owner, bucket.text(), mode.name(), digest);
    }

    boolean opens(String secret) {
        return MessageDigest.isEqual(
                digest.getBytes(StandardCharsets.UTF_8), digest(secret).getBytes(StandardCharsets.UTF_8));
    }
}
