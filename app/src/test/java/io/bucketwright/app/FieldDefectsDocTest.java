package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/field-defects.md says is shown by a test, is. */
class FieldDefectsDocTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

    @Test
    void everyTestThatThePageNamesExists() throws IOException {
        List<MatchResult> named = TEST.matcher(page()).results().toList();
        assertThat(named).hasSizeGreaterThan(50);
        List<Path> sources = sources();
        assertThat(named)
                .allSatisfy(test -> assertThat(sources)
                        .as(test.group())
                        .anyMatch(source -> source.endsWith(test.group(1) + ".java")
                                && text(source).contains("void " + test.group(2) + "(")));
    }

    @Test
    void everyNumberOfTheFieldDocumentIsThere() throws IOException {
        String page = page();
        assertThat(Stream.of(numbers("D", 12), numbers("L", 17), numbers("U", 30))
                        .flatMap(List::stream))
                .allSatisfy(number -> assertThat(page).contains("| " + number + " |"));
    }

    @Test
    void whatIsDoneOrAvoidedNamesATest() throws IOException {
        assertThat(page().lines().filter(line -> line.matches("\\| [DLU]\\d+ .*")))
                .allSatisfy(line -> assertThat(line).matches(".*(`\\w+\\.\\w+` \\|| not done.*\\| \\|)$"));
    }

    private static List<String> numbers(String letter, int count) {
        return Stream.iterate(1, number -> number + 1)
                .limit(count)
                .map(number -> letter + number)
                .toList();
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/field-defects.md"));
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(FieldDefectsDocTest::below)
                    .toList();
        }
    }

    private static Stream<Path> below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
