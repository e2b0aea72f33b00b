package io.bucketwright.volumes.directories.classes;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Namespaces, with {@code *} for any characters. */
record NamespacePatterns(List<String> patterns) {

    private static final Pattern ONE = Pattern.compile("[-a-z0-9*]+");

    NamespacePatterns {
        patterns = List.copyOf(patterns);
    }

    static NamespacePatterns parse(String text) {
        List<String> patterns =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (!patterns.stream().allMatch(pattern -> ONE.matcher(pattern).matches())) {
            throw new IllegalArgumentException("must be names of namespaces, with *, separated by commas");
        }
        return new NamespacePatterns(patterns);
    }

    boolean match(String namespace) {
        return patterns.stream().anyMatch(pattern -> namespace.matches(pattern.replace("*", ".*")));
    }
}
