package io.bucketwright.volumes.podclaims;

import java.util.regex.Pattern;

/** Who made a claim and who releases its volume: provisioner and releaser that share it work together. A label's value. */
public record ControllerId(String value) {

    private static final int LONGEST = 63;
    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");

    public ControllerId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("The controller id must be given; use the same for both controllers");
        }
        if (value.length() > LONGEST) {
            throw new IllegalArgumentException("The controller id is written to labels and may have at most " + LONGEST
                    + " characters, this one has " + value.length());
        }
        if (!LABEL_VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("The controller id is written to labels: letters, digits, '-', '_' and"
                    + " '.', with a letter or digit at both ends, not \"" + Printable.of(value) + "\"");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
