package io.bucketwright.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupervisorTest {

    @TempDir
    private Path temporary;

    private Path dir;

    @BeforeEach
    void makeFolder() throws IOException {
        dir = temporary.resolve("cluster");
        Files.createDirectories(dir.resolve("pids"));
    }

    @Test
    void closingEndsEveryProcessAndRemovesOnlyFilesOfTheCluster() throws IOException {
        Files.writeString(dir.resolve("notes.txt"), "somebody else's");
        Supervisor supervisor = supervisor();
        supervisor.guard();
        ProcessIdentity first = sleeping(supervisor, "first");
        ProcessIdentity second = sleeping(supervisor, "second");
        assertThat(List.of(first.running(), second.running())).containsOnly(true);

        supervisor.close();

        assertThat(List.of(first.running(), second.running())).containsOnly(false);
        assertThat(dir).isDirectoryContaining(path -> path.endsWith("notes.txt"));
        assertThat(dir.resolve("pids")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "INT"})
    void processesEndWithTheJvmThatStartedThemHoweverItEnds(String signal) throws Exception {
        Process jvm = jvm("supervise");
        await().atMost(1, TimeUnit.MINUTES)
                .until(() -> Files.exists(dir.resolve("log"))
                        && Files.readString(dir.resolve("log")).contains("started"));
        List<ProcessIdentity> started = List.of(recorded("first"), recorded("second"));
        assertThat(started).allMatch(ProcessIdentity::running);

        new ProcessBuilder("kill", "-" + signal, Long.toString(jvm.pid()))
                .start()
                .waitFor();

        assertThat(jvm.waitFor(1, TimeUnit.MINUTES)).isTrue();
        await().atMost(1, TimeUnit.MINUTES).until(() -> started.stream().noneMatch(ProcessIdentity::running));
        await().atMost(1, TimeUnit.MINUTES).until(() -> !Files.exists(dir));
    }

    @Test
    void aReleasedProcessOutlivesItsOwnerAndIsEndedByAnother() {
        Supervisor owner = supervisor();
        owner.guard();
        ProcessIdentity process = sleeping(owner, "first");
        owner.release();
        owner.close();
        assertThat(process.running()).isTrue();

        supervisor().endAll();

        assertThat(process.running()).isFalse();
    }

    @Test
    void aProcessThatOnlyHasTheSamePidIsNotEnded() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(dir.resolve("pids/first"), stranger.pid() + " 1\n");
            assertThat(supervisor().running("first")).isEmpty();

            supervisor().endAll();

            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void aStoppedProcessGetsSigtermFirstAndSigkillAfterTheGracePeriod() {
        Supervisor supervisor = supervisor();
        supervisor.guard();
        ProcessIdentity polite = sleeping(supervisor, "first");
        ProcessIdentity deaf = supervisor.launch(
                "second", List.of("sh", "-c", "trap '' TERM; while :; do sleep 1; done"), Map.of(), log());

        supervisor.stop("first", 10_000);
        supervisor.stop("second", 100);

        assertThat(List.of(polite.running(), deaf.running())).containsOnly(false);
        supervisor.close();
    }

    @Test
    void nothingStartsOnceTheGuardIsClosing() throws IOException {
        Files.createFile(dir.resolve("closing"));
        ProcessIdentity late = sleeping(supervisor(), "first");
        await().atMost(1, TimeUnit.MINUTES).until(() -> !late.running());
    }

    @Test
    void aProcessWithoutAPlaceInTheStopOrderIsRefused() {
        assertThatThrownBy(() -> sleeping(supervisor(), "third")).hasMessageContaining("third has no place");
    }

    @Test
    void aCommandAndItsChildrenEndWithAKilledJvm() throws Exception {
        Process jvm = jvm("command");
        Path record = dir.resolve("pid");
        await().atMost(1, TimeUnit.MINUTES)
                .until(() -> Files.exists(record) && !Files.readString(record).isBlank());
        ProcessHandle child = ProcessHandle.of(
                        Long.parseLong(Files.readString(record).trim()))
                .orElseThrow();

        jvm.destroyForcibly();

        await().atMost(1, TimeUnit.MINUTES).until(() -> !child.isAlive());
    }

    private ProcessIdentity recorded(String name) throws IOException {
        Optional<ProcessIdentity> identity =
                ProcessIdentity.read(dir.resolve("pids").resolve(name));
        return identity.orElseThrow();
    }

    private Supervisor supervisor() {
        return new Supervisor(dir, List.of("pids", "closing", "log"), List.of("first", "second"));
    }

    private ProcessIdentity sleeping(Supervisor supervisor, String name) {
        return supervisor.launch(name, List.of("sleep", "600"), Map.of(), log());
    }

    private Path log() {
        return dir.resolve("log");
    }

    private Process jvm(String what) throws IOException {
        // A build that runs in the background of a shell ignores SIGINT, and its children inherit that.
        return new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledOwner.class.getName(),
                        what,
                        dir.toString())
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("jvm.log").toFile())
                .start();
    }
}
