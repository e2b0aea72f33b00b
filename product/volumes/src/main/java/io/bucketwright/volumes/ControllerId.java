package io.bucketwright.volumes;

import io.bucketwright.runtime.objects.SafeText;
import java.util.regex.Pattern;

/** The id of a provisioner and a releaser that work together, and the value of a label: who created a claim, and who releases its volume. */
public record ControllerId(String value) {

    private static final int MAX_LENGTH = 63;
    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");

    public ControllerId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("The controller id must be given; use the same for both controllers");
        }
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("The controller id is written to labels and may have at most "
                    + MAX_LENGTH + " characters, this one has " + value.length());
        }
        if (!LABEL_VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("The controller id is written to labels: letters, digits, '-', '_' and"
                    + " '.', with a letter or digit at both ends, not \"" + SafeText.line(value) + "\"");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
