package io.bucketwright.cosi.driver;

import io.bucketwright.store.errors.InputText;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Options of a driver.
 *
 * @param name as {@code s3.bucketwright.io}; a provisioner is called {@code <namespace>/<this>}
 * @param store the kind of store
 * @param parameters of the store and of buckets, as in a class; a request may add to them, and contradict none
 */
public record DriverSettings(String name, String store, Map<String, String> parameters) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is not valid
     */
    public DriverSettings {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The driver name " + InputText.quote(name)
                    + " must be 1 to 63 letters, digits, dots and hyphens, with a letter or digit at both ends.");
        }
        parameters = Map.copyOf(parameters);
    }
}
