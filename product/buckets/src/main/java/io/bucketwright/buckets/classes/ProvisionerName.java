package io.bucketwright.buckets.classes;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.regex.Pattern;

/** The name of a provisioner in StorageClasses, for example {@code aws-s3.io/bucket}. */
public record ProvisionerName(String text) {

    private static final int MAX_LENGTH = 252;
    private static final Pattern SHAPE = Pattern.compile("[a-z0-9]([a-z0-9./_-]{0," + (MAX_LENGTH - 2) + "}[a-z0-9])?");
    private static final int LONGEST_LABEL = 63;

    public ProvisionerName {
        if (!SHAPE.matcher(text).matches()) {
            throw new Invalid("Provisioner name \"" + text + "\" is invalid: use at most " + MAX_LENGTH
                    + " lower case letters, digits and the characters . / _ -, with a letter or digit at both ends, for"
                    + " example example.com/bucket");
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
