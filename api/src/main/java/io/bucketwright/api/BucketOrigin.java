package io.bucketwright.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a bucket was made for its claim, and may be unmade, or was there before and may only be left. */
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

    /** Empty for anything else: a bucket of unknown origin is not to be destroyed on a guess. */
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
