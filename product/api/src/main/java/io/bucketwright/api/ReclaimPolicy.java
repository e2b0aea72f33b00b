package io.bucketwright.api;

import io.bucketwright.api.text.TextEnum;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happens to a bucket when its claim is deleted. */
public enum ReclaimPolicy implements TextEnum {
    /** Deletes the bucket. */
    DELETE("Delete"),
    /** Keeps the bucket and its objects, and revokes access. */
    RETAIN("Retain"),
    /** Keeps the bucket, deletes its objects, and revokes access. */
    ERASE("Erase"),
    /** Keeps the bucket and its objects, and disables access until it is unsuspended. */
    SUSPEND("Suspend");

    private final String text;

    ReclaimPolicy(String text) {
        this.text = text;
    }

    /** Empty for other text, such as {@code Recycle} of Kubernetes. */
    public static Optional<ReclaimPolicy> of(@Nullable String text) {
        return TextEnum.find(values(), text);
    }

    @Override
    public String toString() {
        return text;
    }
}
