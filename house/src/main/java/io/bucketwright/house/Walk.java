package io.bucketwright.house;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The classes that somebody reads who follows one object from the watch to its last write.
 *
 * @param missing entries that name no class, or more than one
 */
record Walk(List<SourceFile> classes, List<String> missing) {

    /** The file of each walk by the heading that the table has for it. */
    static final Map<String, String> FILES = Map.of(
            "claim to Bound", "house/walks/claim.txt",
            "released BucketAccess", "house/walks/released-access.txt",
            "PVC to directory", "house/walks/directory.txt");

    static Walk of(Sources sources, String file) {
        List<SourceFile> classes = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String entry : sources.entries(file)) {
            List<SourceFile> named = named(sources, entry);
            if (named.size() == 1) {
                classes.addAll(named);
            } else {
                missing.add(entry);
            }
        }
        return new Walk(classes.stream().distinct().toList(), missing);
    }

    long lines() {
        return classes.stream().mapToLong(SourceFile::lines).sum();
    }

    /** An entry is the end of a class name: {@code Reflector}, or {@code buckets.claims.BoundClaimDecision}. */
    private static List<SourceFile> named(Sources sources, String entry) {
        return sources.main().filter(file -> file.name().endsWith("." + entry)).toList();
    }
}
