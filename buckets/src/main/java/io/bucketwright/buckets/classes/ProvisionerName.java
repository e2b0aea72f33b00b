package io.bucketwright.buckets.classes;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.regex.Pattern;

/** The name of a provisioner in StorageClasses, for example {@code aws-s3.io/bucket}. */
public record ProvisionerName(String text) {

    private static final Pattern SHAPE = Pattern.compile("[a-z0-9]([a-z0-9./_-]{0,250}[a-z0-9])?");
    private static final int LONGEST_LABEL = 63;

    public ProvisionerName {
        if (!SHAPE.matcher(text).matches()) {
            throw new Invalid(
                    "Provisioner name \"" + text
                            + "\" must consist of lower case letters, digits, dots, slashes and hyphens, for example example.com/bucket");
        }
    }

    /** A valid label value. Several names can have the same one, so it selects objects but does not prove ownership. */
    public String label() {
        String label = text.replace('/', '-');
        int end = Math.min(label.length(), LONGEST_LABEL);
        while (!Character.isLetterOrDigit(label.charAt(end - 1))) {
            end--;
        }
        return label.substring(0, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
