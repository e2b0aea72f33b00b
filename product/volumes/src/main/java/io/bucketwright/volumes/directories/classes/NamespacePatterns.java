package io.bucketwright.volumes.directories.classes;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Names of namespaces, in which {@code *} matches any characters. */
public record NamespacePatterns(List<String> patterns) {

    static final NamespacePatterns ALL = new NamespacePatterns(List.of("*"));

    private static final Pattern ONE = Pattern.compile("[-a-z0-9*]+");

    public NamespacePatterns {
        patterns = List.copyOf(patterns);
    }

    static NamespacePatterns parse(String text) {
        List<String> patterns =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (!patterns.stream().allMatch(pattern -> ONE.matcher(pattern).matches())) {
            throw new IllegalArgumentException(
                    "must be a comma-separated list of namespace names, which may contain *");
        }
        return new NamespacePatterns(patterns);
    }

    public boolean allows(String namespace) {
        return patterns.stream().anyMatch(pattern -> namespace.matches(pattern.replace("*", ".*")));
    }
}
