package io.bucketwright.api;

import io.bucketwright.api.text.TextEnum;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a bucket was created for its claim, or existed before. Existing buckets are never deleted. */
public enum BucketOrigin implements TextEnum {
    NEW("New"),
    EXISTING("Existing");

    private final String text;

    BucketOrigin(String text) {
        this.text = text;
    }

    /** Empty for other text: a bucket of unknown origin must not be deleted. */
    public static Optional<BucketOrigin> of(@Nullable String text) {
        return TextEnum.find(values(), text);
    }

    @Override
    public String toString() {
        return text;
    }
}
