package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The name of a bucket by the rules of S3, the strictest of the protocols in most ways: 3 to 63 lower case letters, digits, dots and
 * hyphens, a letter or digit at both ends, no two dots in a row, not shaped like an IP address, and none of the
 * prefixes and suffixes that S3 keeps for itself. A store with narrower rules refuses what it cannot take.
 *
 * @param text the name
 */
public record BucketName(String text) implements Comparable<BucketName> {

    /** About 103 bits: nobody else chooses the same name, by accident or by guessing. */
    public static final int RANDOM_LENGTH = 20;

    private static final int SHORTEST = 3;
    private static final int LONGEST = 63;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9.-]*[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9.-]*");
    private static final Pattern IP_ADDRESS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");
    private static final List<String> RESERVED_PREFIXES = List.of("xn--", "sthree-", "amzn-s3-demo-");
    private static final List<String> RESERVED_SUFFIXES =
            List.of("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3");

    /**
     * Checks the value.
     *
     * @throws Invalid if it is no legal name
     */
    public BucketName {
        if (text.length() < SHORTEST || text.length() > LONGEST) {
            throw refused(text, "must have 3 to 63 characters");
        }
        if (!SHAPE.matcher(text).matches()) {
            throw refused(
                    text, "must be lower case letters, digits, dots and hyphens, with a letter or digit at both ends");
        }
        if (text.contains("..")) {
            throw refused(text, "must not have two dots in a row");
        }
        if (IP_ADDRESS.matcher(text).matches()) {
            throw refused(text, "must not look like an IP address");
        }
        for (String prefix : RESERVED_PREFIXES) {
            if (text.startsWith(prefix)) {
                throw refused(text, "must not begin with \"" + prefix + "\", which S3 keeps for itself");
            }
        }
        for (String suffix : RESERVED_SUFFIXES) {
            if (text.endsWith(suffix)) {
                throw refused(text, "must not end with \"" + suffix + "\", which S3 keeps for itself");
            }
        }
    }

    /**
     * A new name from a prefix and random characters. A prefix that is too long is cut, upper case is lowered.
     *
     * @param random a cryptographic source, as {@code new SecureRandom()}: that nobody can guess the name is relied upon
     * @throws Invalid if no legal name begins with the prefix
     */
    public static BucketName generate(String prefix, RandomGenerator random) {
        String lowered = prefix.toLowerCase(Locale.ROOT);
        if (!PREFIX.matcher(lowered).matches()) {
            throw new Invalid("generateBucketName " + InputText.quote(prefix)
                    + " must be lower case letters, digits, dots and hyphens, beginning with a letter or digit");
        }
        String cut = lowered.substring(0, Math.min(lowered.length(), LONGEST - RANDOM_LENGTH - 1));
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

    private static Invalid refused(String text, String rule) {
        return new Invalid("bucketName " + InputText.quote(text) + " " + rule);
    }
}
