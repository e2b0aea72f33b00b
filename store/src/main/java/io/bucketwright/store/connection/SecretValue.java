package io.bucketwright.store.connection;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A value that nobody may read by accident: it prints as {@code ***}, and only {@link #reveal()} gives it away. */
public final class SecretValue {

    private final String value;

    private SecretValue(String value) {
        this.value = value;
    }

    public static SecretValue of(String value) {
        return new SecretValue(value);
    }

    /** The value itself. For the Secret that is written, and the request that is signed; for no log and no message. */
    public String reveal() {
        return value;
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    /** Takes the same time wherever the two differ. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SecretValue secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    /** The same for all: a hash is a part of the value. */
    @Override
    public int hashCode() {
        return 1;
    }

    @Override
    public String toString() {
        return "***";
    }
}
