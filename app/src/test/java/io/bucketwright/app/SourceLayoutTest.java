package io.bucketwright.app;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree.SourceFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of CONTRIBUTING.md about files and packages. */
class SourceLayoutTest {

    private static final int MAX_LINES = 400;
    private static final int MAX_FILES = 25;

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
