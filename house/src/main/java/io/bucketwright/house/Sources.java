package io.bucketwright.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Java files of the modules that the root pom lists, wherever their folders are.
 *
 * @param root the folder of the root pom
 */
record Sources(Path root, List<SourceFile> files) {

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");

    static Sources read() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("mvnw"))) {
            root = Objects.requireNonNull(root.getParent(), "no folder above this one has the file mvnw");
        }
        Path found = root;
        return new Sources(
                found,
                modulePaths(found)
                        .flatMap(module ->
                                Stream.of("main", "test").flatMap(kind -> below(found.resolve(module), kind).stream()))
                        .toList());
    }

    /** The names of the modules whose path begins with that, in the order of the build. */
    Stream<String> modules(String path) {
        return modulePaths(root)
                .filter(module -> module.startsWith(path))
                .map(module -> Path.of(module).getFileName().toString());
    }

    Stream<SourceFile> main() {
        return files.stream().filter(file -> !file.test());
    }

    Stream<SourceFile> tests() {
        return files.stream().filter(SourceFile::test);
    }

    /** The lines of a text file of this project, without comments that begin with #. */
    List<String> entries(String file) {
        return text(root.resolve(file))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    Properties properties(String file) {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(root.resolve(file))) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> modulePaths(Path root) {
        return MODULE.matcher(text(root.resolve("pom.xml"))).results().map(match -> match.group(1));
    }

    private static List<SourceFile> below(Path module, String kind) {
        Path folder = module.resolve("src").resolve(kind).resolve("java");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .map(file -> new SourceFile(
                            module.getFileName().toString(),
                            kind.equals("test"),
                            folder.relativize(file)
                                    .toString()
                                    .replaceFirst("\\.java$", "")
                                    .replace('/', '.'),
                            file,
                            text(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
