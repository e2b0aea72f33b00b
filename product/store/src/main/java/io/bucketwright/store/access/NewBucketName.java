package io.bucketwright.store.access;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A name that a new bucket may have. It follows the rules of S3: at most 63 lower case letters, digits, dots and hyphens, a
 * letter or digit at both ends, and none of the prefixes that S3 reserves.
 *
 * @param name the name, which is the one of a bucket as soon as the bucket exists
 */
public record NewBucketName(BucketName name) {

    static final int MAX_LENGTH = 63;

    private static final Pattern SYNTAX = Pattern.compile("[a-z0-9][a-z0-9.-]*[a-z0-9]");
    private static final List<String> RESERVED_PREFIXES = List.of("xn--", "sthree-", "amzn-s3-demo-");

    /**
     * Checks the value.
     *
     * @throws Invalid if a new bucket must not have that name
     */
    public NewBucketName {
        String text = name.text();
        if (text.length() > MAX_LENGTH) {
            throw BucketName.invalid(text, "must have 3 to 63 characters");
        }
        if (!SYNTAX.matcher(text).matches()) {
            throw BucketName.invalid(
                    text, "must be lower case letters, digits, dots and hyphens, with a letter or digit at both ends");
        }
        for (String prefix : RESERVED_PREFIXES) {
            if (text.startsWith(prefix)) {
                throw BucketName.invalid(text, "must not start with \"" + prefix + "\", which S3 reserves");
            }
        }
    }
}
