package io.bucketwright.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Prints the slowest test classes of all modules: tests that grow slow should be noticed before they hurt. Modules that use
 * {@code testing} record the times of their classes; those of the others are in the reports of Surefire and Failsafe.
 */
public final class SlowestTestsReport {

    private static final int SHOWN = 20;
    private static final String TARGET = "target";
    /** A module is a folder of the root folder, or a folder of such a folder. */
    private static final int TARGET_DEPTH = 3;

    private static final double MILLIS = 1000;

    private SlowestTestsReport() {}

    private record TimedClass(long millis, String name) {
        static TimedClass parse(String line) {
            String[] columns = line.split("\t", 2);
            return new TimedClass(Long.parseLong(columns[0]), columns[1]);
        }

        /** The root element of a report has the name and the seconds of the class; Surefire groups digits with commas. */
        static TimedClass of(XMLStreamReader report) throws XMLStreamException {
            report.nextTag();
            String seconds = report.getAttributeValue("", "time").replace(",", "");
            return new TimedClass(
                    Math.round(Double.parseDouble(seconds) * MILLIS), report.getAttributeValue("", "name"));
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
        try (Stream<Path> targets = Files.find(
                root, TARGET_DEPTH, (path, attributes) -> attributes.isDirectory() && path.endsWith(TARGET))) {
            List<TimedClass> classes = targets.flatMap(target -> classes(target).stream())
                    .sorted(Comparator.comparingLong(TimedClass::millis).reversed())
                    .limit(SHOWN)
                    .toList();
            return classes.stream()
                    .map(timed ->
                            String.format(Locale.ROOT, "[slowest] %6.1f s %s", timed.millis() / MILLIS, timed.name()))
                    .toList();
        }
    }

    private static List<TimedClass> classes(Path target) {
        List<Path> records = files(target, "test-times-", ".tsv");
        return records.isEmpty()
                ? Stream.of("surefire-reports", "failsafe-reports")
                        .flatMap(reports -> files(target.resolve(reports), "TEST-", ".xml").stream())
                        .map(SlowestTestsReport::read)
                        .toList()
                : records.stream()
                        .flatMap(file -> lines(file).stream())
                        .map(TimedClass::parse)
                        .toList();
    }

    private static List<Path> files(Path folder, String prefix, String suffix) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.startsWith(prefix) && name.endsWith(suffix);
                    })
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TimedClass read(Path report) {
        try (InputStream text = Files.newInputStream(report)) {
            return TimedClass.of(XMLInputFactory.newDefaultFactory().createXMLStreamReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(report + " is not a test report", e);
        }
    }
}
