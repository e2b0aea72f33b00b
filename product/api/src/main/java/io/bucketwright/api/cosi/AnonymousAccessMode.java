package io.bucketwright.api.cosi;

import io.bucketwright.api.text.TextEnum;
import java.util.Arrays;
import java.util.Optional;

/** Access to a bucket without credentials. */
public enum AnonymousAccessMode implements TextEnum {
    PRIVATE("private", "private"),
    /** List the bucket and get its objects. */
    READ_ONLY("ro", "publicRead"),
    /** As read-only, and put objects. */
    READ_WRITE("rw", "publicReadWrite"),
    /** Put objects. */
    WRITE_ONLY("wo", "wo");

    static final String PATTERN = "^(private|ro|rw|wo|publicRead|publicReadWrite)$";

    private final String text;
    private final String alsoSpelt;

    AnonymousAccessMode(String text, String alsoSpelt) {
        this.text = text;
        this.alsoSpelt = alsoSpelt;
    }

    /** Reads either spelling; empty for anything else. */
    public static Optional<AnonymousAccessMode> of(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.text.equals(text) || mode.alsoSpelt.equals(text))
                .findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
