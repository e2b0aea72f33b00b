package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree.SourceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that docs/field-defects.md and docs/testing.md name exist, and the build runs them. */
class FieldDefectsDocTest {

    private static final Pattern TEST_ANNOTATION =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|Property|Example|TestFactory)\\b");
    private static final Pattern DISABLED_CLASS = Pattern.compile("@Disabled[^{;]*\\bclass\\b");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/field-defects.md", "docs/testing.md"})
    void everyTestThatThePageNamesIsRunByTheBuild(String page) {
        List<MatchResult> named = TEST.matcher(SourceTree.read(SourceTree.ROOT.resolve(page)))
                .results()
                .toList();
        assertThat(named).hasSizeGreaterThan(50);
        Map<Path, String> sources = sources();
        assertThat(named).allSatisfy(test -> {
            String file = test.group(1) + ".java";
            assertThat(sources.entrySet().stream()
                            .filter(source -> source.getKey().endsWith(file))
                            .anyMatch(source -> isTestMethod(source.getValue(), test.group(2))))
                    .as(test.group())
                    .isTrue();
            assertThat(isRun(test.group(1), sources)).as(test.group()).isTrue();
        });
    }

    @Test
    void aMethodWithoutAnnotationADisabledOneAndAnUnusedContractAreNotRun() {
        String helper = "class ATest { void helps() {} }";
        String disabled = "class ATest { @Test @Disabled(\"slow\") void helps() {} }";
        String tested = "class ATest { @ParameterizedTest\n @ValueSource(ints = 1)\n void helps(int i) throws E {} }";
        assertThat(isTestMethod(helper, "helps")).isFalse();
        assertThat(isTestMethod(disabled, "helps")).isFalse();
        assertThat(isTestMethod(tested, "helps")).isTrue();
        Map<Path, String> sources = Map.of(
                Path.of("Used.java"), "interface Used {}",
                Path.of("Unused.java"), "interface Unused {}",
                Path.of("StoreIT.java"), "class StoreIT implements Other, Used {}");
        assertThat(isRun("Used", sources)).isTrue();
        assertThat(isRun("Unused", sources)).isFalse();
        assertThat(isRun("StoreIT", sources)).isTrue();
    }

    @Test
    void everyNumberOfTheFieldDocumentIsThere() {
        String page = page();
        assertThat(Stream.of(numbers("D", 12), numbers("L", 17), numbers("U", 30))
                        .flatMap(List::stream))
                .allSatisfy(number -> assertThat(page).contains("| " + number + " |"));
    }

    @Test
    void whatIsDoneOrAvoidedNamesATest() {
        assertThat(page().lines().filter(line -> line.matches("\\| [DLU]\\d+ .*")))
                .allSatisfy(line -> assertThat(line).matches(".*(`\\w+\\.\\w+` \\|| not done.*\\| \\|)$"));
    }

    private static List<String> numbers(String letter, int count) {
        return Stream.iterate(1, number -> number + 1)
                .limit(count)
                .map(number -> letter + number)
                .toList();
    }

    private static String page() {
        return SourceTree.read(SourceTree.ROOT.resolve("docs/field-defects.md"));
    }

    /** Whether the method has a test annotation and nothing switches it off. */
    private static boolean isTestMethod(String text, String method) {
        Matcher declared = Pattern.compile(
                        "((?:@\\w+(?:\\([^)]*\\))?\\s+)+)(?:\\w+\\s+)*?(?:void|boolean)\\s+" + method + "\\(")
                .matcher(text);
        return !DISABLED_CLASS.matcher(text).find()
                && declared.results()
                        .map(found -> found.group(1))
                        .anyMatch(annotations ->
                                TEST_ANNOTATION.matcher(annotations).find() && !annotations.contains("@Disabled"));
    }

    /** Whether the build runs the class: by its name, or through a class that extends it. */
    private static boolean isRun(String type, Map<Path, String> sources) {
        if (type.endsWith("Test") || type.endsWith("IT")) {
            return true;
        }
        Pattern subtype = Pattern.compile(
                "(?m)^[\\w ]*\\b(?:class|interface) (\\w+)[^{]*?\\b(?:extends|implements)\\b[^{]*\\b" + type + "\\b");
        return sources.values().stream()
                .flatMap(text -> subtype.matcher(text).results())
                .map(found -> found.group(1))
                .anyMatch(name -> !name.equals(type) && isRun(name, sources));
    }

    private static Map<Path, String> sources() {
        return SourceTree.all().stream().collect(Collectors.toMap(SourceFile::path, SourceFile::text));
    }
}
