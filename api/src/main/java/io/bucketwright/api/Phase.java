package io.bucketwright.api;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How far a claim or a bucket has come. */
public enum Phase {
    PENDING("Pending"),
    BOUND("Bound"),
    RELEASED("Released"),
    FAILED("Failed");

    /** Both spellings that were ever written, and the empty text of a Go program that has not set it yet. */
    static final String PATTERN = "^(Pending|Bound|Released|Failed|pending|bound|released|failed)?$";

    private final String text;

    Phase(String text) {
        this.text = text;
    }

    /** As it stands in an object's status. */
    public String text() {
        return text;
    }

    /**
     * Reads a phase in either spelling. Absent means Pending: schemas other than ours have no default. So does a word we
     * do not know, for it is no proof that any of the other phases was reached.
     */
    public static Phase of(@Nullable String text) {
        return Arrays.stream(values())
                .filter(phase -> phase.text.equalsIgnoreCase(text))
                .findFirst()
                .orElse(PENDING);
    }

    @Override
    public String toString() {
        return text;
    }
}
