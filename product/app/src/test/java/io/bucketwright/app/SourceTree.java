package io.bucketwright.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of all modules, for tests that check them. */
public final class SourceTree {

    static final Path ROOT = Path.of("../..");

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");

    private SourceTree() {}

    record SourceFile(Path path, String text) {

        Path folder() {
            return Objects.requireNonNull(path.getParent());
        }
    }

    /** The modules of the root pom. */
    static List<String> modules() {
        return MODULE.matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** The Java files of a module that are not tests. */
    static List<SourceFile> main(String module) {
        return below(ROOT.resolve(module).resolve("src/main/java"));
    }

    /** The Java files of all modules, tests included. */
    static List<SourceFile> all() {
        return modules().stream()
                .flatMap(module -> below(ROOT.resolve(module).resolve("src")).stream())
                .toList();
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<SourceFile> below(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .map(file -> new SourceFile(file, read(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
