package io.bucketwright.store.access;

import java.util.Arrays;

/**
 * What may happen to a bucket when its owner releases it. The ownership tags contain it: an owner that takes over a bucket
 * must not destroy what the former owner had to keep. Later constants are stricter.
 */
public enum Reclaim {
    /** The bucket and its objects may be deleted. */
    DELETE("Delete"),
    /** The objects may be deleted; the bucket stays. */
    ERASE("Erase"),
    /** Bucket and objects stay. */
    RETAIN("Retain"),
    /** Bucket and objects stay, and the former owner does not get access again without an administrator. */
    SUSPEND("Suspend"),
    /** The tags do not tell: an older release wrote them, or the owner is no claim. */
    UNKNOWN("");

    private final String text;

    Reclaim(String text) {
        this.text = text;
    }

    /** As in the tags; empty if unknown. */
    public String text() {
        return text;
    }

    /** What a tag contains; a text of a newer release is unknown. */
    public static Reclaim of(String text) {
        return Arrays.stream(values())
                .filter(value -> value.text.equals(text))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Whether the owner may do that to its bucket. If the tags do not tell, the owner's own record decides. */
    public boolean allows(Reclaim wanted) {
        return this == UNKNOWN || compareTo(wanted) <= 0;
    }

    /** Whether the same claim may get the bucket again without an administrator: it was certainly not suspended. */
    public boolean allowsReturn() {
        return compareTo(SUSPEND) < 0;
    }

    /** For a bucket that this owner had and the next one takes over. */
    public Reclaim orStricter(Reclaim next) {
        return next == UNKNOWN || compareTo(next) > 0 ? this : next;
    }

    /** For a bucket that an administrator gives to a claim: it may return, and nothing that may have to be kept is destroyed. */
    public Reclaim transferred() {
        return allowsReturn() ? this : RETAIN;
    }
}
