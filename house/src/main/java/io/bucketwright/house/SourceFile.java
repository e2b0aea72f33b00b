package io.bucketwright.house;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A Java file.
 *
 * @param module the last part of the path of its module
 * @param test whether it is below src/test
 * @param name its fully qualified name
 */
record SourceFile(String module, boolean test, String name, Path path, String text) {

    long lines() {
        return text.lines().count();
    }

    String packageName() {
        return name.substring(0, name.lastIndexOf('.'));
    }

    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    boolean isPackageInfo() {
        return simpleName().equals("package-info");
    }

    /** The package that contains all packages of one topic: {@code io.bucketwright.cosi.sidecar}. */
    String packageTree() {
        return Arrays.stream(packageName().split("\\.")).limit(4).collect(Collectors.joining("."));
    }

    /** Whether it is in that package or in one below it. */
    boolean isIn(String tree) {
        return (packageName() + ".").startsWith(tree + ".");
    }
}
