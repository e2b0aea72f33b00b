package io.bucketwright.api;

import io.bucketwright.api.text.TextEnum;
import org.jspecify.annotations.Nullable;

/** The phase of a claim or an ObjectBucket. */
public enum Phase implements TextEnum {
    /** The controller works on it, or waits for something that it retries. */
    PENDING("Pending"),
    /** The bucket exists and its credentials are issued. */
    BOUND("Bound"),
    /** The other object of the pair no longer exists: a claim without ObjectBucket, or an ObjectBucket without claim. */
    RELEASED("Released"),
    /** The controller does not retry until something changes: the claim, its class, or a conflicting object. */
    FAILED("Failed");

    /** Both spellings in use, and the empty text that Go programs write for an unset phase. */
    static final String PATTERN = "^(Pending|Bound|Released|Failed|pending|bound|released|failed)?$";

    private final String text;

    Phase(String text) {
        this.text = text;
    }

    /**
     * Parses a phase in either spelling. Absent or unknown text is Pending: schemas other than ours have no default, and
     * unknown text does not prove that another phase was reached.
     */
    public static Phase of(@Nullable String text) {
        return TextEnum.findIgnoringCase(values(), text).orElse(PENDING);
    }

    @Override
    public String toString() {
        return text;
    }
}
