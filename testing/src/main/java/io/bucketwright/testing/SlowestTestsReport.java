package io.bucketwright.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Prints the slowest test classes of all modules: tests that grow slow should be noticed before they hurt. */
public final class SlowestTestsReport {

    private static final int SHOWN = 20;
    private static final String FILES = "test-times-";
    private static final int MODULE_DEPTH = 4;

    private SlowestTestsReport() {}

    private record TimedClass(long millis, String name) {
        static TimedClass parse(String line) {
            String[] columns = line.split("\t", 2);
            return new TimedClass(Long.parseLong(columns[0]), columns[1]);
        }
    }

    /**
     * Prints the report.
     *
     * @param arguments the root folder of the build
     */
    public static void main(String[] arguments) throws IOException {
        report(Path.of(arguments[0])).forEach(System.out::println);
    }

    static List<String> report(Path root) throws IOException {
        try (Stream<Path> files = Files.find(root, MODULE_DEPTH, (path, _) -> isRecord(path))) {
            List<TimedClass> classes = files.flatMap(SlowestTestsReport::lines)
                    .map(TimedClass::parse)
                    .sorted(Comparator.comparingLong(TimedClass::millis).reversed())
                    .limit(SHOWN)
                    .toList();
            return classes.stream()
                    .map(timed ->
                            String.format(Locale.ROOT, "[slowest] %6.1f s %s", timed.millis() / 1000.0, timed.name()))
                    .toList();
        }
    }

    private static boolean isRecord(Path path) {
        return path.toString().contains("/target/" + FILES);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
