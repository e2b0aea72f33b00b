package io.bucketwright.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowestTestsReportTest {

    @TempDir
    private Path root;

    @Test
    void listsTheSlowestClassesOfAllModulesFirst() throws IOException {
        write("buckets", "test-times-cluster.tsv", "1500\tCrashIT\n90\tNamesTest\n");
        write("cosi", "test-times-unit.tsv", "61000\tModelTest\n");
        write("examples/provisioner", "test-times-unit.tsv", "");
        assertThat(SlowestTestsReport.report(root))
                .containsExactly(
                        "[slowest]   61.0 s ModelTest", "[slowest]    1.5 s CrashIT", "[slowest]    0.1 s NamesTest");
    }

    private void write(String module, String file, String text) throws IOException {
        Path target = Files.createDirectories(root.resolve(module).resolve("target"));
        Files.writeString(target.resolve(file), text);
    }
}
