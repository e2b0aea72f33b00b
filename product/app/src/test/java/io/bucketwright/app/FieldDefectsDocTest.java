package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that docs/contributing/field-defects.md and docs/contributing/testing.md name exist, and the build runs them. */
@Execution(ExecutionMode.CONCURRENT)
class FieldDefectsDocTest {

    private static final Pattern TEST_ANNOTATION =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|Property|Example|TestFactory)\\b");
    private static final Pattern DISABLED_CLASS = Pattern.compile("@Disabled[^{;]*\\bclass\\b");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");
    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w+(?:Test|IT|Contract))`");
    private static final Pattern ANY_TEST =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|Property|Example|TestFactory|ArchTest)\\b");
    private static final Pattern SUPERTYPES =
            Pattern.compile("(?m)^[\\w ]*\\b(?:class|interface) \\w+[^{]*?\\b(?:extends|implements)\\b([^{]*)\\{");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w*");
    private static final Pattern TEST_CELL =
            Pattern.compile("\\|[^|]+\\|([^|]*)\\|(?: [A-Z]\\d+(?:, [A-Z]\\d+)*)? \\|");
    private static final Pattern REASON = Pattern.compile("\\b(?:not done|refuted)\\b[^:]*: *\\S+ +\\S+ .*");
    private static final Pattern LINK = Pattern.compile("\\[[^]]+]\\(([^)#:]+\\.md)[^)]*\\)");

    @ParameterizedTest
    @ValueSource(strings = {"docs/contributing/field-defects.md", "docs/contributing/testing.md"})
    void everyTestThatThePageNamesIsRunByTheBuild(String page) {
        List<MatchResult> named = TEST.matcher(SourceTree.read(SourceTree.ROOT.resolve(page)))
                .results()
                .toList();
        assertThat(named).hasSizeGreaterThan(50);
        Map<String, List<String>> sources = sources();
        assertThat(named)
                .allSatisfy(test ->
                        assertThat(exists(test, sources)).as(test.group()).isTrue());
        assertThat(TEST_CLASS
                        .matcher(SourceTree.read(SourceTree.ROOT.resolve(page)))
                        .results())
                .isNotEmpty()
                .allSatisfy(type -> assertThat(isTestClass(type.group(1), sources))
                        .as(type.group())
                        .isTrue());
    }

    @Test
    void aMethodWithoutAnnotationADisabledOneAndAnUnusedContractAreNotRun() {
        String helper = "class ATest { void helps() {} }";
        String disabled = "class ATest { @Test @Disabled(\"slow\") void helps() {} }";
        String tested = "class ATest { @ParameterizedTest\n @ValueSource(ints = 1)\n void helps(int i) throws E {} }";
        assertThat(isTestMethod(helper, "helps")).isFalse();
        assertThat(isTestMethod(disabled, "helps")).isFalse();
        assertThat(isTestMethod(tested, "helps")).isTrue();
        Map<String, List<String>> sources = Map.of(
                "Used", List.of("interface Used {}"),
                "Unused", List.of("interface Unused {}"),
                "StoreIT", List.of("class StoreIT implements Other, Used {}"));
        assertThat(isRun("Used", sources)).isTrue();
        assertThat(isRun("Unused", sources)).isFalse();
        assertThat(isRun("StoreIT", sources)).isTrue();
    }

    /** Each row of the tables of the reviews names a test that exists, or gives a reason. */
    @Test
    void whatReviewsFoundNamesATestOrGivesAReason() {
        Map<String, List<String>> sources = sources();
        assertThat(reviewed()).hasSizeGreaterThan(250);
        assertThat(reviewed().stream().filter(row -> !isExplained(row, sources)))
                .isEmpty();
    }

    @Test
    void aRowWithoutATestAndWithoutAReasonIsFound() {
        Map<String, List<String>> sources = Map.of(
                "SomeTest", List.of("class SomeTest { @Test void works() {} }"),
                "EmptyTest", List.of("class EmptyTest { void works() {} }"));
        for (String explained : List.of(
                "`SomeTest.works`",
                "`SomeTest`, and more",
                "`SomeTest.works`; `GoneTest.works` was removed",
                "not done: part of another issue",
                "refuted: the server does that already",
                "the rest: [decision 11](../decisions/0011-directories-by-system-calls.md)")) {
            assertThat(isExplained("| it was `SomeTest` | " + explained + " | S1, F2 |", sources))
                    .as(explained)
                    .isTrue();
        }
        for (String unexplained : List.of(
                "",
                "`SomeTest.fails`",
                "`EmptyTest`",
                "`GoneTest`",
                "not done",
                "not done: later",
                "it is fixed now: see the code",
                "[decision 99](../decisions/0099-nothing.md)")) {
            assertThat(isExplained("| it was `SomeTest` | " + unexplained + " | |", sources))
                    .as(unexplained)
                    .isFalse();
        }
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
        return SourceTree.read(SourceTree.ROOT.resolve("docs/contributing/field-defects.md"));
    }

    /** The rows of the tables of the reviews, without their two rows of heads. */
    private static List<String> reviewed() {
        return page().lines()
                .dropWhile(line -> !line.equals("## Defects that reviews of Bucketwright found"))
                .filter(line ->
                        line.startsWith("|") && !line.startsWith("| what was wrong |") && !line.startsWith("|---"))
                .toList();
    }

    private static boolean isExplained(String row, Map<String, List<String>> sources) {
        Matcher cells = TEST_CELL.matcher(row);
        String cell = cells.matches() ? cells.group(1) : "";
        return TEST.matcher(cell).results().anyMatch(test -> exists(test, sources))
                || TEST_CLASS.matcher(cell).results().anyMatch(type -> isTestClass(type.group(1), sources))
                || REASON.matcher(cell).find()
                || LINK.matcher(cell)
                        .results()
                        .anyMatch(link -> Files.exists(SourceTree.ROOT.resolve("docs/contributing", link.group(1))));
    }

    private static boolean exists(MatchResult test, Map<String, List<String>> sources) {
        return isRun(test.group(1), sources)
                && texts(test.group(1), sources).anyMatch(text -> isTestMethod(text, test.group(2)));
    }

    private static boolean isTestClass(String type, Map<String, List<String>> sources) {
        return isRun(type, sources) && hasTests(type, sources);
    }

    /** Whether the type declares or inherits a test. */
    private static boolean hasTests(String type, Map<String, List<String>> sources) {
        return texts(type, sources)
                .filter(text -> !DISABLED_CLASS.matcher(text).find())
                .anyMatch(text -> ANY_TEST.matcher(text).find()
                        || SUPERTYPES
                                .matcher(text)
                                .results()
                                .flatMap(types -> TYPE.matcher(types.group(1)).results())
                                .anyMatch(inherited -> hasTests(inherited.group(), sources)));
    }

    private static Stream<String> texts(String type, Map<String, List<String>> sources) {
        return sources.getOrDefault(type, List.of()).stream();
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
    private static boolean isRun(String type, Map<String, List<String>> sources) {
        if (type.endsWith("Test") || type.endsWith("IT")) {
            return true;
        }
        Pattern subtype = Pattern.compile(
                "(?m)^[\\w ]*\\b(?:class|interface) (\\w+)[^{]*?\\b(?:extends|implements)\\b[^{]*\\b" + type + "\\b");
        return sources.values().stream()
                .flatMap(List::stream)
                .flatMap(text -> subtype.matcher(text).results())
                .map(found -> found.group(1))
                .anyMatch(name -> !name.equals(type) && isRun(name, sources));
    }

    /** By the name of their type, which several may have. */
    private static Map<String, List<String>> sources() {
        return SourceTree.javaFiles()
                .collect(Collectors.groupingBy(
                        file -> String.valueOf(file.getFileName()).replace(".java", ""),
                        Collectors.mapping(SourceTree::read, Collectors.toList())));
    }
}
