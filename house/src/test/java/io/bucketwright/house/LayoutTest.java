package io.bucketwright.house;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules of CONTRIBUTING.md about files, packages, names and constructors. */
class LayoutTest {

    private static final int MAX_LINES = 600;
    private static final int MIN_WORDS_ABOUT_A_PACKAGE = 8;
    private static final int MAX_PARAMETERS = 7;
    private static final String LONG_CONSTRUCTORS = "house/constructors.txt";

    private static final Pattern JAVADOC = Pattern.compile("^/\\*\\*(.+?)\\*/", Pattern.DOTALL);
    private static final Pattern STATUS =
            Pattern.compile("^@API\\(status = API\\.Status\\.(INTERNAL|EXPERIMENTAL)", Pattern.MULTILINE);

    /** Programs and tools for tests: nothing outside of this project depends on them. */
    private static final Set<String> NO_LIBRARIES =
            Set.of("house", "local", "testing", "provisioner", "bench", "devtools", "app");

    /** What is for authors of stores and provisioners. */
    private static final Set<String> PUBLIC_MODULES = Set.of("store", "store-contract", "buckets");

    private static final Pattern COMPARED = Pattern.compile("<include>(io\\.bucketwright\\..+?)</include>");

    private static final Sources SOURCES = Sources.read();

    @Test
    void modulesAreFound() {
        assertThat(SOURCES.main().map(SourceFile::module).distinct())
                .contains("house", "app", "runtime", "volumes", "provisioner");
    }

    @Test
    void filesAreNotTooLong() {
        assertNone("files with more than %d lines".formatted(MAX_LINES), file -> file.lines() > MAX_LINES);
    }

    @Test
    void packagesAreExplained() {
        Set<String> explained = SOURCES.main()
                .filter(SourceFile::isPackageInfo)
                .map(SourceFile::packageName)
                .collect(toSet());
        assertNone("files of a package without package-info.java", file -> !explained.contains(file.packageName()));
    }

    @Test
    void theJavadocOfAPackageIsASentence() {
        assertNone(
                "packages whose Javadoc is no sentence that says what they are for",
                file -> file.isPackageInfo() && wordsOfJavadoc(file) < MIN_WORDS_ABOUT_A_PACKAGE);
    }

    private static long wordsOfJavadoc(SourceFile file) {
        Matcher javadoc = JAVADOC.matcher(file.text());
        return javadoc.find() ? javadoc.group(1).split("\\W+").length : 0;
    }

    /** A package without a status would be invisible to the rule about internal packages. */
    @Test
    void packagesOfLibrariesHaveAStatus() {
        assertNone(
                "packages without @API(status = API.Status.INTERNAL) or EXPERIMENTAL",
                file -> file.isPackageInfo()
                        && !NO_LIBRARIES.contains(file.module())
                        && !STATUS.matcher(file.text()).find());
    }

    private static void assertNone(String what, Predicate<SourceFile> broken) {
        assertThat(SOURCES.main().filter(broken).map(SourceFile::path)).as(what).isEmpty();
    }

    /** japicmp does not see the annotations of packages, so the pom names them. */
    @Test
    void theCompatibilityCheckComparesThePublicPackages() {
        assertThat(COMPARED.matcher(Sources.text(SOURCES.root().resolve("pom.xml")))
                        .results()
                        .map(match -> match.group(1)))
                .containsExactlyElementsOf(SOURCES.main()
                        .filter(file -> PUBLIC_MODULES.contains(file.module()))
                        .filter(SourceFile::isPackageInfo)
                        .filter(file -> file.text().contains("API.Status.EXPERIMENTAL"))
                        .map(SourceFile::packageName)
                        .sorted()
                        .toList());
    }

    /** A stack trace or a review shows the short name; packages of different topics tell two of them apart. */
    @Test
    void classNamesAreUniqueInTheirPackageTree() {
        assertThat(SOURCES
                        .main()
                        .filter(file -> !file.isPackageInfo())
                        .collect(groupingBy(file -> file.packageTree() + ".." + file.simpleName(), counting()))
                        .entrySet()
                        .stream()
                        .filter(name -> name.getValue() > 1))
                .as("names that more than one class of a package tree has")
                .isEmpty();
    }

    /** More things than that are more than one reason, or one thing without a name. */
    @Test
    void constructorsTakeAtMostSevenThings() {
        Map<String, Integer> found = Constructors.longest(SOURCES.main());
        found.values().removeIf(count -> count <= MAX_PARAMETERS);
        assertThat(found.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()))
                .as(
                        "constructors and records with more than %d parameters. A new one: name what belongs together, as a"
                                + " record. One of %s that has fewer now: change or remove its line",
                        MAX_PARAMETERS, LONG_CONSTRUCTORS)
                .containsExactlyInAnyOrderElementsOf(SOURCES.entries(LONG_CONSTRUCTORS));
    }
}
