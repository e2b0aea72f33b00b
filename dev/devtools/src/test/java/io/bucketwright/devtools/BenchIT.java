package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.InstalledCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small bench of the installed command, and one that is terminated. */
@Order(3)
class BenchIT {

    private static final double MAX_CPU_RATIO = 10;
    private static final double MAX_HEAP_KIB = 110;

    @TempDir
    private Path temporary;

    @Test
    void aBenchMeasuresTheInstalledCommandAndLeavesNothing() throws Exception {
        String dir = temporary.resolve("c").toString();
        try {
            InstalledCommand up = run("local", "up", "--dir", dir);
            assertThat(up.process().exitValue()).as(up.err()).isZero();
            List<String> before = objects(dir);
            assertThat(before).contains("namespace/default");
            benchMeasuresTheInstalledCommand(dir);
            idleMeasuresEveryProcess(dir);
            await().pollInterval(2, TimeUnit.SECONDS).until(() -> objects(dir).equals(before));
            aBenchThatIsTerminatedLeavesNothing(dir);
            await().pollInterval(2, TimeUnit.SECONDS).until(() -> objects(dir).equals(before));
        } finally {
            run("local", "down", "--dir", dir);
        }
    }

    /** Requests are exact. CPU and heap have room for noise: their bounds are twice what was measured. */
    private void benchMeasuresTheInstalledCommand(String dir) throws Exception {
        InstalledCommand bench = run("bench", "buckets", "-n", "20", "--dir", dir, "-o", "json");
        assertThat(bench.process().exitValue()).as(bench.err()).isZero();
        JsonNode buckets = new ObjectMapper().readTree(bench.out()).at("/subjects/0");
        String all = buckets.toPrettyString();
        for (String phase : List.of("bind", "bind again", "one at a time")) {
            assertRequests(all, phase(buckets, "phases", phase), 7, 1);
            assertRequests(all, phase(buckets, "ceiling", phase), 7, 0);
        }
        assertRequests(all, phase(buckets, "phases", "delete"), 8, 0);
        assertRequests(all, phase(buckets, "ceiling", "delete"), 8, 0);
        assertRequests(all, phase(buckets, "phases", "restart"), 0, 0);
        assertThat(phase(buckets, "phases", "bind").path("medianMillis").asDouble())
                .isPositive();
        assertThat(phase(buckets, "phases", "bind").path("serverCpuMillis").fieldNames())
                .toIterable()
                .containsExactly("etcd", "kube-apiserver");

        JsonNode process = buckets.at("/processes/0");
        assertThat(process.path("leadingMillis").asLong()).as(all).isPositive();
        assertThat(process.at("/idle/proportional").asDouble())
                .as(all)
                .isBetween(10.0, process.at("/idle/resident").asDouble());
        double cpu = cpuMillis(buckets, "phases") / cpuMillis(buckets, "ceiling");
        assertThat(cpu).as("CPU time divided by that of the ceiling: " + all).isBetween(1.0, MAX_CPU_RATIO);
        double heap =
                process.at("/loaded/heap").asDouble() - process.at("/idle/heap").asDouble();
        assertThat(heap * 1024 / process.path("objects").asInt())
                .as("KiB of heap for each claim: " + all)
                .isLessThan(MAX_HEAP_KIB);
    }

    /** Also the process of all controllers, which must lead in each of its roles. */
    private void idleMeasuresEveryProcess(String dir) throws Exception {
        InstalledCommand bench = run("bench", "idle", "--idle-period", "1s", "--dir", dir, "-o", "json");
        assertThat(bench.process().exitValue()).as(bench.err()).isZero();
        assertThat(new ObjectMapper().readTree(bench.out()).findValuesAsText("role"))
                .contains("buckets", "directories", "all");
    }

    private static void assertRequests(String all, JsonNode phase, int writes, int events) {
        int objects = phase.path("objects").asInt();
        assertThat(objects).as(all).isGreaterThanOrEqualTo(20);
        assertThat(phase.path("writes").asInt()).as(all).isEqualTo(writes * objects);
        assertThat(phase.path("events").asInt()).as(all).isEqualTo(events * objects);
        assertThat(phase.path("reads").asInt()).as(all).isZero();
    }

    private static double cpuMillis(JsonNode subject, String contender) {
        return Stream.of("bind", "bind again")
                .map(phase -> phase(subject, contender, phase).path("cpuMillis"))
                .mapToDouble(times -> times.elements().next().asDouble())
                .sum();
    }

    private static JsonNode phase(JsonNode subject, String contender, String name) {
        for (JsonNode phase : subject.path(contender)) {
            if (phase.path("name").asText().equals(name)) {
                return phase;
            }
        }
        throw new AssertionError("no phase " + name + " in " + subject.toPrettyString());
    }

    private void aBenchThatIsTerminatedLeavesNothing(String dir) throws Exception {
        Path folder = Files.createDirectory(temporary.resolve("t"));
        // Closed also if the test fails: JUnit deletes the folder that names the processes.
        try (InstalledCommand bench = InstalledCommand.start(
                temporary,
                "terminated",
                Map.of("BUCKETWRIGHT_JAVA_OPTS", "-Djava.io.tmpdir=" + folder),
                List.of(),
                "bench",
                "buckets",
                "--no-ceiling",
                "--dir",
                dir)) {
            await().until(() -> InstalledCommand.processesOf(folder.toString()).stream()
                            .anyMatch(line -> line.contains("--only=buckets"))
                    || !bench.process().isAlive());
            assertThat(bench.process().isAlive()).as(bench.err()).isTrue();
            bench.process().destroy();
            assertThat(bench.await()).isNotZero();
        }
        await().until(() -> InstalledCommand.processesOf(folder.toString()).isEmpty());
        await().until(() -> isEmpty(folder));
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static List<String> objects(String dir) throws IOException, InterruptedException {
        String kinds = "namespaces,clusterroles,clusterrolebindings,storageclasses,customresourcedefinitions";
        return new Kubectl(Path.of(dir, "kubeconfig"))
                .run("get", kinds, "-o", "name")
                .lines()
                .sorted()
                .toList();
    }

    private InstalledCommand run(String... arguments) throws InterruptedException {
        InstalledCommand command = InstalledCommand.start(temporary, "run-" + System.nanoTime(), arguments);
        command.await();
        return command;
    }
}
