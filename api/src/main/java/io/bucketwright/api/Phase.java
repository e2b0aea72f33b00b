package io.bucketwright.api;

import io.bucketwright.api.text.TextEnum;
import org.jspecify.annotations.Nullable;

/** The phase of a claim or an ObjectBucket. */
public enum Phase implements TextEnum {
    PENDING("Pending"),
    BOUND("Bound"),
    RELEASED("Released"),
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
