package io.bucketwright.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a bucket was created for its claim, or existed before. Existing buckets are never deleted. */
public enum BucketOrigin {
    NEW("New"),
    EXISTING("Existing");

    private final String text;

    BucketOrigin(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Empty for other text: a bucket of unknown origin must not be deleted. */
    public static Optional<BucketOrigin> of(@Nullable String text) {
        return Arrays.stream(values())
                .filter(origin -> origin.text.equals(text))
                .findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
