package io.bucketwright.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What becomes of a bucket when its claim goes. */
public enum ReclaimPolicy {
    /** The bucket goes too. */
    DELETE("Delete"),
    /** Bucket and objects stay, access goes. */
    RETAIN("Retain"),
    /** The bucket stays, its objects go. */
    ERASE("Erase"),
    /** Bucket and objects stay, access is withdrawn and can be given back. */
    SUSPEND("Suspend");

    private final String text;

    ReclaimPolicy(String text) {
        this.text = text;
    }

    /** As it stands in an object's spec. */
    public String text() {
        return text;
    }

    /** Empty for a word that is none of ours, such as Kubernetes' own {@code Recycle}: no policy is guessed from it. */
    public static Optional<ReclaimPolicy> of(@Nullable String text) {
        return Arrays.stream(values())
                .filter(policy -> policy.text.equals(text))
                .findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
