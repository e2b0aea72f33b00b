package io.bucketwright.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void readsTheReportsOfModulesThatRecordNoTimes() throws IOException {
        write("store-s3", "surefire-reports/TEST-io.x.NamesTest.xml", report("io.x.NamesTest", "0.25"));
        write("store-s3", "failsafe-reports/TEST-io.x.MinioIT.xml", report("io.x.MinioIT", "1,061.5"));
        write("store-s3", "failsafe-reports/failsafe-summary.xml", "<failsafe-summary/>");
        write("examples/provisioner", "failsafe-reports/TEST-ProvisionerIT.xml", report("ProvisionerIT", "3"));
        assertThat(SlowestTestsReport.report(root))
                .containsExactly(
                        "[slowest] 1061.5 s io.x.MinioIT",
                        "[slowest]    3.0 s ProvisionerIT",
                        "[slowest]    0.3 s io.x.NamesTest");
    }

    @Test
    void aClassOfAModuleThatRecordsTimesIsListedOnce() throws IOException {
        write("buckets", "test-times-cluster.tsv", "1500\tCrashIT\n");
        write("buckets", "failsafe-reports/TEST-CrashIT.xml", report("CrashIT", "1.7"));
        assertThat(SlowestTestsReport.report(root)).containsExactly("[slowest]    1.5 s CrashIT");
    }

    @Test
    void aReportThatCannotBeReadIsNamed() throws IOException {
        write("store", "surefire-reports/TEST-NamesTest.xml", "");
        assertThatThrownBy(() -> SlowestTestsReport.report(root)).hasMessageContaining("TEST-NamesTest.xml");
    }

    private static String report(String name, String time) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.0.2" name="%s" time="%s" tests="2">
                  <properties>
                    <property name="java.specification.version" value="25"/>
                  </properties>
                </testsuite>
                """.formatted(name, time);
    }

    private void write(String module, String file, String text) throws IOException {
        Path path = root.resolve(module).resolve("target").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
