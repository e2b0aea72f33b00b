package io.bucketwright.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of the clone, for tests that check them. */
public final class SourceTree {

    static final Path ROOT = Path.of("../..");

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");

    private SourceTree() {}

    /** The Java files of all modules of the root pom, tests included. */
    static Stream<Path> javaFiles() {
        return MODULE.matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> ROOT.resolve(module.group(1)).resolve("src"))
                .filter(Files::isDirectory)
                .flatMap(folder -> below(folder).stream());
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
