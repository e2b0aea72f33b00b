package io.bucketwright.app;

import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree.SourceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of CONTRIBUTING.md about files and packages. */
class SourceLayoutTest {

    private static final int MAX_LINES = 400;
    private static final int MAX_FILES = 25;

    private static final Pattern STATUS =
            Pattern.compile("^@API\\(status = API\\.Status\\.(INTERNAL|EXPERIMENTAL)", Pattern.MULTILINE);

    /** Programs and tools for tests: nothing outside of this project depends on them. */
    private static final Set<String> NO_LIBRARIES = Set.of("local", "testing", "examples/provisioner", "app");

    /** What is for authors of stores and provisioners. */
    private static final Set<String> PUBLIC_MODULES = Set.of("store", "store-contract", "buckets");

    private static final Pattern COMPARED = Pattern.compile("<include>(io\\.bucketwright\\..+?)</include>");

    static List<String> modules() {
        return SourceTree.modules();
    }

    @Test
    void modulesAreFound() {
        assertThat(modules()).contains("app", "runtime", "volumes", "examples/provisioner");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void filesAreShort(String module) {
        assertThat(SourceTree.main(module))
                .allSatisfy(file -> assertThat(file.text().lines().count())
                        .as("lines of %s", file.path())
                        .isLessThanOrEqualTo(MAX_LINES));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesAreSmallAndExplained(String module) {
        assertThat(SourceTree.main(module).stream().collect(groupingBy(SourceFile::folder)))
                .allSatisfy((folder, files) -> {
                    assertThat(files.size() - 1)
                            .as("files of %s, without package-info", folder)
                            .isLessThanOrEqualTo(MAX_FILES);
                    assertThat(folder.resolve("package-info.java")).exists();
                });
    }

    static Stream<String> libraries() {
        return modules().stream().filter(not(NO_LIBRARIES::contains));
    }

    /** A package without a status would be invisible to the rule about internal packages. */
    @ParameterizedTest
    @MethodSource("libraries")
    void packagesOfLibrariesHaveAStatus(String module) {
        assertThat(SourceTree.main(module).stream().filter(SourceLayoutTest::isPackageInfo))
                .allSatisfy(
                        file -> assertThat(file.text()).as("%s", file.path()).containsPattern(STATUS));
    }

    /** japicmp does not see the annotations of packages, so the pom names them. */
    @Test
    void theCompatibilityCheckComparesThePublicPackages() {
        assertThat(COMPARED.matcher(SourceTree.read(SourceTree.ROOT.resolve("pom.xml")))
                        .results()
                        .map(match -> match.group(1)))
                .containsExactlyElementsOf(PUBLIC_MODULES.stream()
                        .flatMap(module -> SourceTree.main(module).stream())
                        .filter(SourceLayoutTest::isPackageInfo)
                        .filter(file -> file.text().contains("API.Status.EXPERIMENTAL"))
                        .map(SourceLayoutTest::packageName)
                        .sorted()
                        .toList());
    }

    private static boolean isPackageInfo(SourceFile file) {
        return file.path().endsWith("package-info.java");
    }

    private static String packageName(SourceFile file) {
        return file.folder().toString().replaceFirst(".*/src/main/java/", "").replace('/', '.');
    }

    @ParameterizedTest
    @MethodSource("modules")
    void classNamesAreUnique(String module) {
        assertThat(SourceTree.main(module).stream()
                        .map(SourceFile::path)
                        .map(Path::getFileName)
                        .filter(name -> !name.endsWith("package-info.java")))
                .doesNotHaveDuplicates();
    }
}
