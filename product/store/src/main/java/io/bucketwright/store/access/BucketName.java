package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The name of a bucket that may exist, whoever chose it. Stores have accepted more than S3 accepts today: capital letters,
 * underscores, up to 255 characters. The characters need no escaping in URLs, policies, XML and signatures, and none of them
 * is a wildcard or a separator there; a name with others is refused. A store with stricter rules rejects the name itself.
 * {@link NewBucketName} has the rules for names that are chosen now.
 *
 * @param text the name
 */
public record BucketName(String text) implements Comparable<BucketName> {

    /** About 103 random bits: nobody else chooses the same name by accident or can guess it. */
    public static final int RANDOM_LENGTH = 20;

    /** So many characters of a prefix are in a generated name. */
    public static final int MAX_PREFIX = NewBucketName.MAX_LENGTH - RANDOM_LENGTH - 1;

    private static final int MIN_LENGTH = 3;
    private static final int MAX_LENGTH = 255;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9.-]*");
    private static final Pattern IP_ADDRESS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");

    /** Names of access points and of other things that are no buckets; the SDK of AWS sends their requests elsewhere. */
    private static final List<String> RESERVED_SUFFIXES =
            List.of("-s3alias", "--ol-s3", "--op-s3", ".mrap", "--x-s3", "--table-s3");

    /**
     * Checks the value.
     *
     * @throws Invalid if the name is not valid
     */
    public BucketName {
        if (text.length() < MIN_LENGTH || text.length() > MAX_LENGTH) {
            throw invalid(text, "must have 3 to 255 characters");
        }
        if (!SYNTAX.matcher(text).matches()) {
            throw invalid(
                    text,
                    "must be letters, digits, dots, hyphens and underscores, starting with a letter, a digit or an underscore");
        }
        if (text.contains("..")) {
            throw invalid(text, "must not have two adjacent dots");
        }
        if (IP_ADDRESS.matcher(text).matches()) {
            throw invalid(text, "must not look like an IP address");
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
        String cut = lowered.substring(0, Math.min(lowered.length(), MAX_PREFIX));
        while (cut.endsWith("-") || cut.endsWith(".")) {
            cut = cut.substring(0, cut.length() - 1);
        }
        StringBuilder name = new StringBuilder(cut).append('-');
        for (int i = 0; i < RANDOM_LENGTH; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new NewBucketName(new BucketName(name.toString())).name();
    }

    @Override
    public int compareTo(BucketName other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }

    static Invalid invalid(String text, String rule) {
        return new Invalid("bucketName " + InputText.quote(text) + " " + rule);
    }
}
