package io.bucketwright.buckets.classes;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A list of name patterns. {@code *} matches any characters, {@code ${namespace}} is replaced by the claim's namespace.
 */
public record NamePatterns(List<String> patterns) {

    static final String NAMESPACE = "${namespace}";
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9._*-]{1,255}");
    private static final Pattern LOWER_CASE = Pattern.compile("[a-z0-9.*-]{1,253}");

    public NamePatterns {
        patterns = List.copyOf(patterns);
        require(patterns, LEGAL, "letters, digits, dots, hyphens, underscores");
    }

    private static void require(List<String> patterns, Pattern legal, String characters) {
        for (String pattern : patterns) {
            if (!legal.matcher(pattern.replace(NAMESPACE, "n")).matches()) {
                throw new Invalid(
                        "\"" + pattern + "\" must be " + characters + ", * and " + NAMESPACE + ", separated by commas");
            }
        }
    }

    /** Patterns of names that are chosen in the cluster: of namespaces and of new buckets. */
    public static NamePatterns parse(String text) {
        NamePatterns parsed = ofExisting(text);
        require(parsed.patterns, LOWER_CASE, "lower case letters, digits, dots, hyphens");
        return parsed;
    }

    /** Patterns of names of buckets that exist, which may have capital letters and underscores. */
    public static NamePatterns ofExisting(String text) {
        return new NamePatterns(Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .toList());
    }

    /**
     * Checks that no name matches for two namespaces. Namespace names contain hyphens: {@code ${namespace}-*} of namespace
     * {@code a} matches the buckets of namespace {@code a-b}. They contain no dots and no underscores.
     *
     * @throws Invalid naming the ambiguous pattern
     */
    public NamePatterns requireUnambiguous() {
        patterns.stream().filter(NamePatterns::isAmbiguous).findFirst().ifPresent(pattern -> {
            throw new Invalid("\"" + pattern + "\" matches buckets of several namespaces, because names of namespaces"
                    + " contain hyphens: separate " + NAMESPACE + " from * with a dot, for example " + NAMESPACE
                    + ".*");
        });
        return this;
    }

    private static boolean isAmbiguous(String pattern) {
        int start = pattern.indexOf(NAMESPACE);
        if (start < 0) {
            return false;
        }
        String left = pattern.substring(0, start);
        String right = pattern.substring(start + NAMESPACE.length());
        boolean leftOpen = left.contains("*");
        boolean rightOpen = right.contains("*");
        return right.contains(NAMESPACE)
                || (leftOpen && rightOpen)
                || (leftOpen && !left.endsWith(".") && !left.endsWith("_"))
                || (rightOpen && !right.startsWith(".") && !right.startsWith("_"));
    }

    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** Whether one of the patterns matches the whole name, for a claim in that namespace. */
    public boolean match(String name, String namespace) {
        return patterns.stream().anyMatch(pattern -> matches(pattern.replace(NAMESPACE, namespace), name));
    }

    private static boolean matches(String pattern, String name) {
        String regex = Arrays.stream(pattern.split("\\*", -1))
                .map(Pattern::quote)
                .reduce((a, b) -> a + ".*" + b)
                .orElse("");
        return Pattern.matches(regex, name);
    }
}
