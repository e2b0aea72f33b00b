package io.bucketwright.store.connection;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A secret. {@code toString} returns {@code ***}; only {@link #reveal()} returns the value. */
public final class SecretValue {

    private final String value;

    private SecretValue(String value) {
        this.value = value;
    }

    public static SecretValue of(String value) {
        return new SecretValue(value);
    }

    /** The value. Only for writing a Secret and for signing a request; never for a log or a message. */
    public String reveal() {
        return value;
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    /** Takes the same time wherever the values differ. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SecretValue secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    /** Constant, because a hash reveals a part of the value. */
    @Override
    public int hashCode() {
        return 1;
    }

    @Override
    public String toString() {
        return "***";
    }
}
