package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The name of a bucket. It follows the rules of S3: 3 to 63 lower case letters, digits, dots and hyphens, a letter or digit
 * at both ends, no two adjacent dots, not formatted like an IP address, and none of the prefixes and suffixes that S3
 * reserves. A store with stricter rules rejects the name itself.
 *
 * @param text the name
 */
public record BucketName(String text) implements Comparable<BucketName> {

    /** About 103 random bits: nobody else chooses the same name by accident or can guess it. */
    public static final int RANDOM_LENGTH = 20;

    private static final int MIN_LENGTH = 3;
    private static final int MAX_LENGTH = 63;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final Pattern SYNTAX = Pattern.compile("[a-z0-9][a-z0-9.-]*[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9.-]*");
    private static final Pattern IP_ADDRESS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");
    private static final List<String> RESERVED_PREFIXES = List.of("xn--", "sthree-", "amzn-s3-demo-");
    private static final List<String> RESERVED_SUFFIXES =
            List.of("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3");

    /**
     * Checks the value.
     *
     * @throws Invalid if the name is not valid
     */
    public BucketName {
        if (text.length() < MIN_LENGTH || text.length() > MAX_LENGTH) {
            throw invalid(text, "must have 3 to 63 characters");
        }
        if (!SYNTAX.matcher(text).matches()) {
            throw invalid(
                    text, "must be lower case letters, digits, dots and hyphens, with a letter or digit at both ends");
        }
        if (text.contains("..")) {
            throw invalid(text, "must not have two adjacent dots");
        }
        if (IP_ADDRESS.matcher(text).matches()) {
            throw invalid(text, "must not look like an IP address");
        }
        for (String prefix : RESERVED_PREFIXES) {
            if (text.startsWith(prefix)) {
                throw invalid(text, "must not start with \"" + prefix + "\", which S3 reserves");
            }
        }
        for (String suffix : RESERVED_SUFFIXES) {
            if (text.endsWith(suffix)) {
                throw invalid(text, "must not end with \"" + suffix + "\", which S3 reserves");
            }
        }
    }

    /**
     * Generates a name from a prefix and random characters. Truncates a long prefix and converts it to lower case.
     *
     * @param random a cryptographic source such as {@code new SecureRandom()}, because nobody may be able to guess the name
     * @throws Invalid if no valid name starts with the prefix
     */
    public static BucketName generate(String prefix, RandomGenerator random) {
        String lowered = prefix.toLowerCase(Locale.ROOT);
        if (!PREFIX.matcher(lowered).matches()) {
            throw new Invalid("generateBucketName " + InputText.quote(prefix)
                    + " must be lower case letters, digits, dots and hyphens, starting with a letter or digit");
        }
        String cut = lowered.substring(0, Math.min(lowered.length(), MAX_LENGTH - RANDOM_LENGTH - 1));
        while (cut.endsWith("-") || cut.endsWith(".")) {
            cut = cut.substring(0, cut.length() - 1);
        }
        StringBuilder name = new StringBuilder(cut).append('-');
        for (int i = 0; i < RANDOM_LENGTH; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new BucketName(name.toString());
    }

    @Override
    public int compareTo(BucketName other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }

    private static Invalid invalid(String text, String rule) {
        return new Invalid("bucketName " + InputText.quote(text) + " " + rule);
    }
}
