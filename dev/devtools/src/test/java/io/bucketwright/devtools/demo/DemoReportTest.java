package io.bucketwright.devtools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.report.TerminalProgress;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo prints: its steps, what failed, and what comes next. */
class DemoReportTest {

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void stepsAreNumberedAndTimed() {
        DemoSteps steps = steps();
        steps.begin("Start");
        steps.print("one");
        steps.begin("Use");
        steps.show("a: 1\nb: 2");
        steps.end();
        assertThat(out.toString().replaceAll("\\d+ ms", "N ms")).isEqualTo("""
                1. Start
                   one
                   (N ms)
                2. Use
                   | a: 1
                   | b: 2
                   (N ms)
                """);
        assertThat(steps.current()).isEqualTo("step 2, \"Use\"");
    }

    @Test
    void aFailureNamesTheStepAndTheLogAndShowsItsEnd() throws IOException {
        Path log = Files.writeString(
                folder.resolve("bucket-controller.log"),
                IntStream.rangeClosed(1, 30).mapToObj(n -> "line " + n + "\n").collect(Collectors.joining()));
        assertThat(failure(new CommandException("The claim is not Bound."), log).withLogs(folder))
                .message()
                .startsWith("The demo failed in step 4, \"Create a claim\": The claim is not Bound.\n"
                        + "The last lines of " + log + ":\n    line 21\n    line 22\n")
                .contains("    line 30\n")
                .endsWith("\nThe logs of all processes are in " + folder + ".");
        assertThat(folder).isDirectoryNotContaining("glob:**/demo.log");
    }

    @Test
    void theStackTraceOfADefectIsBesideTheLogs() {
        assertThat(failure(new IllegalStateException("no such key"), folder.resolve("missing.log"))
                        .withLogs(folder))
                .message()
                .contains("IllegalStateException: no such key", "cannot be read", "please report it");
        assertThat(folder.resolve("demo.log")).content().contains("at io.bucketwright.devtools.demo.DemoReportTest");
    }

    @Test
    void copiedLogsOutliveTheCluster() throws IOException {
        Files.writeString(folder.resolve("etcd.log"), "etcd");
        Path copy = DemoFailure.copy(folder);
        try {
            assertThat(copy.resolve("etcd.log")).hasContent("etcd");
        } finally {
            Files.delete(copy.resolve("etcd.log"));
            Files.delete(copy);
        }
    }

    @Test
    void partsAreShownInOneOrderAndOnlyBucketsNeedAStore() {
        DemoOptions two = new DemoOptions(Set.of(DemoPart.VOLUMES, DemoPart.BUCKETS), false, false, Optional.empty());
        assertThat(two.ordered()).containsExactly(DemoPart.BUCKETS, DemoPart.VOLUMES);
        assertThat(two.needsStore()).isTrue();
        assertThat(new DemoOptions(Set.of(DemoPart.VOLUMES), true, false, Optional.empty()).needsStore())
                .isFalse();
    }

    @Test
    void aClusterOfTheUserIsNotKept() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DemoOptions(EnumSet.allOf(DemoPart.class), true, false, Optional.of("mine")))
                .withMessageContaining("--keep");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DemoOptions(Set.of(), false, false, Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DemoOptions(EnumSet.allOf(DemoPart.class), false, true, Optional.of("mine")))
                .withMessageContaining("--image");
    }

    @Test
    void aPortOfTheChartIsTheSameFreePortInValuesAndManifests() {
        Map<String, String> words = new HashMap<>(Map.of("STORE_ENDPOINT", "http://127.0.0.1:1"));
        String values = DemoChart.filled("port: 60001, other: 60002, endpoint=STORE_ENDPOINT", words);
        assertThat(values).doesNotContain("6000").endsWith("endpoint=http://127.0.0.1:1");
        assertThat(DemoChart.filled("--listen=0.0.0.0:60001", words))
                .isEqualTo("--listen=0.0.0.0:" + words.get("60001"));
        assertThat(words.get("60001")).isNotEqualTo(words.get("60002"));
        assertThatIllegalStateException()
                .isThrownBy(() -> DemoChart.filled("STORE_REGION", words))
                .withMessageContaining("STORE_REGION");
    }

    @Test
    void theLogOfAContainerHasTheNameOfItsPod() {
        assertThat(DemoPods.name(Path.of("bucketwright_bucketwright-buckets-7d_3f-2a", "controller", "0.log")))
                .isEqualTo("bucketwright-buckets-7d-controller-0.log");
    }

    @Test
    void theNextCommandsCanBePastedWhereTheUserIs() throws IOException {
        Path home = Files.createDirectories(folder.resolve("dev/devtools/target/dist"));
        assertThat(NextCommands.command(home, folder)).isEqualTo("bucketwright");
        Path script = Files.createFile(folder.resolve("bucketwright"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThat(NextCommands.command(home, folder)).isEqualTo("./bucketwright");
        assertThat(NextCommands.command(home, folder.resolve("docs"))).isEqualTo(script.toString());
        assertThat(new NextCommands(Path.of("/c"), Path.of("/c/kubeconfig")).lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains(" local kubectl --dir /c get "),
                        line -> assertThat(line).endsWith(" claim list --all-namespaces --kubeconfig /c/kubeconfig"),
                        line -> assertThat(line).endsWith(" local down --dir /c"));
    }

    @Test
    void theKeysInTheSecretOfABucketAccessAreNotPrinted() {
        String shown = DemoBucketInfo.parse("""
                {"metadata": {"name": "bc-1"}, "spec": {"bucketName": "bucket-1", "secretS3": {"endpoint": "http://s3",
                 "region": "us-east-1", "accessKeyID": "open-1", "accessSecretKey": "secret-1"}, "protocols": ["S3"]}}
                """).redacted();
        assertThat(shown).contains("bucket-1", "http://s3", "***").doesNotContain("open-1", "secret-1");
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> DemoBucketInfo.parse("{\"spec\": secret-1"))
                .withMessageNotContaining("secret-1")
                .withNoCause();
        assertThatExceptionOfType(CommandException.class).isThrownBy(() -> DemoBucketInfo.parse("{}"));
    }

    private DemoSteps steps() {
        return new DemoSteps(
                new PrintWriter(out),
                new TerminalProgress(
                        new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8), false));
    }

    private static DemoFailure failure(RuntimeException cause, Path log) {
        return new DemoFailure("step 4, \"Create a claim\"", cause, List.of(log));
    }
}
