package io.bucketwright.cosi.driver;

import io.bucketwright.store.errors.InputText;
import java.util.regex.Pattern;

/**
 * What a driver is called. A provisioner is called {@code <namespace>/<this>}.
 *
 * @param text as {@code s3.bucketwright.io}
 */
public record DriverName(String text) {

    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it is no legal name
     */
    public DriverName {
        if (!SHAPE.matcher(text).matches()) {
            throw new IllegalArgumentException("The driver name " + InputText.quote(text)
                    + " must be 1 to 63 letters, digits, dots and hyphens, with a letter or digit at both ends.");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
