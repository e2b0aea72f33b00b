package io.bucketwright.local.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of finding and building, with a `go` of our own in place of the real one: builds take minutes. */
class BinariesTest {

    private static final List<Program> S3 = List.of(Program.VERSITYGW);

    /** The end of a `go build` that succeeds: $2 is its output. */
    private static final String SUCCEEDS = "echo built > \"$2\"; chmod +x \"$2\"\n";

    @TempDir
    private Path dir;

    @Test
    void aProgramNamedByKubebuilderAssetsIsUsedAndTheOthersAreLookedForElsewhere() throws IOException {
        Path assets = Files.createDirectory(dir.resolve("assets"));
        Path etcd = program(assets.resolve("etcd"), "exit 0");
        Binaries binaries = binaries(assets.toString());

        assertThat(binaries.find(Program.ETCD)).contains(etcd);
        assertThat(binaries.find(Program.KUBE_CONTROLLER_MANAGER)).isEmpty();
    }

    @Test
    void withoutGoTheMessageNamesWhatToInstall() {
        Binaries binaries = binaries("", dir);

        assertThatThrownBy(() -> binaries.provide(S3))
                .isInstanceOf(LocalClusterException.class)
                .hasMessage("Go 1.26 or newer is needed to build versitygw: install it and put `go` on the PATH, or set"
                        + " KUBEBUILDER_ASSETS to a folder with these programs.");
    }

    @Test
    void aBuiltProgramIsFoundInTheCache() throws IOException {
        Binaries binaries = binariesWithGo(SUCCEEDS);

        Path first = binaries.provide(S3).values().iterator().next();
        Path second = binaries.provide(S3).values().iterator().next();

        assertThat(first).isEqualTo(second).isExecutable();
        assertThat(first.toString()).contains("/s3-");
        assertThat(calls("build")).isEqualTo(1);
        assertThat(dir.resolve("cache/go-build-s3")).doesNotExist();
    }

    @Test
    void aFailedBuildReportsWhyAndLeavesNoPartialProgram() throws IOException {
        Binaries binaries = binariesWithGo("""
                echo half > "$2"; chmod +x "$2"
                echo "main.go:7: no space left on device" >&2
                exit 1
                """);

        assertThatThrownBy(() -> binaries.provide(S3))
                .isInstanceOf(LocalClusterException.class)
                .hasMessageContaining("Could not compile s3 (versitygw)")
                .hasMessageContaining("no space left on device");
        assertThat(binaries.find(Program.VERSITYGW)).isEmpty();
    }

    @Test
    void anInterruptedBuildResumes() throws IOException {
        Binaries binaries = binariesWithGo("""
                mkdir -p "$GOCACHE"
                [ -e "$GOCACHE/compiled" ] || { touch "$GOCACHE/compiled"; exit 1; }
                """ + SUCCEEDS);

        assertThatThrownBy(() -> binaries.provide(S3)).hasMessageContaining("the next try resumes");

        assertThat(binaries.provide(S3).values()).allMatch(Files::isExecutable);
        assertThat(dir.resolve("cache/go-build-s3")).doesNotExist();
    }

    @Test
    void twoConcurrentBuildsBuildOnce() throws Exception {
        Path gate = dir.resolve("gate");
        Binaries binaries = binariesWithGo("while [ ! -e \"" + gate + "\" ]; do sleep 0.05; done\n" + SUCCEEDS);

        CompletableFuture<Map<Program, Path>> one = CompletableFuture.supplyAsync(() -> binaries.provide(S3));
        await().until(() -> calls("build") == 1);
        CompletableFuture<Map<Program, Path>> other = CompletableFuture.supplyAsync(() -> binaries.provide(S3));
        Files.createFile(gate);

        assertThat(one.get()).isEqualTo(other.get());
        assertThat(calls("build")).isEqualTo(1);
    }

    @Test
    void aProgramDoesNotWaitForTheBuildOfAnother() throws Exception {
        Path gate = dir.resolve("gate");
        Binaries binaries = binariesWithGo("""
                case "$2" in */s3) while [ ! -e "%s" ]; do sleep 0.05; done ;; esac
                mkdir -p "$GOCACHE"
                """.formatted(gate) + SUCCEEDS);

        CompletableFuture<Map<Program, Path>> slow = CompletableFuture.supplyAsync(() -> binaries.provide(S3));
        await().until(() -> calls("build") == 1);
        assertThat(binaries.provide(Program.PROMTOOL)).isExecutable();
        assertThat(slow).isNotDone();

        Files.createFile(gate);
        assertThat(slow.get().values()).allMatch(Files::isExecutable);
    }

    @Test
    void theDigestOfAModuleIsWhatAShellComputes() throws Exception {
        Path module = Path.of("go", "s3").toAbsolutePath();
        Process shell = new ProcessBuilder("sh", "-c", "cat " + module + "/* | sha256sum | cut -c 1-12").start();
        String digest = shell.inputReader().readLine();
        assertThat(GoModule.S3.id()).isEqualTo("s3-" + digest);
    }

    @ParameterizedTest
    @EnumSource
    void everyProgramOfKubernetesIsStampedWithTheVersionThatIsAskedFor(KubernetesVersion version) {
        assertThat(Program.values())
                .filteredOn(program -> program.fileName().startsWith("kube"))
                .hasSize(5)
                .allSatisfy(program -> assertThat(program.module(version).ldflags())
                        .contains("version.gitVersion=v" + version.text() + "."));
    }

    @Test
    void theOldestKubernetesIsBuiltOnceAndHasEveryProgramOfACluster() throws IOException {
        Binaries binaries = binariesWithGo(SUCCEEDS).with(KubernetesVersion.OLDEST);

        Map<Program, Path> programs =
                binaries.provide(List.of(Program.ETCD, Program.KUBE_APISERVER, Program.KUBELET, Program.KUBECTL));

        assertThat(programs.values())
                .allSatisfy(program -> assertThat(program.toString()).contains("/oldest-kubernetes-"))
                .allMatch(Files::isExecutable);
        assertThat(calls("build")).isEqualTo(1);
        assertThat(binaries.with(KubernetesVersion.NEWEST).find(Program.ETCD)).isEmpty();
    }

    @Test
    void anUnknownVersionOfKubernetesIsRejectedWithThoseThatThereAre() {
        assertThatThrownBy(() -> KubernetesVersion.parse("1.29"))
                .isInstanceOf(LocalClusterException.class)
                .hasMessage("There is no Kubernetes \"1.29\" here; there are 1.36, 1.30.");
    }

    @Test
    void cleaningRemovesEverything() throws IOException {
        Files.createDirectories(dir.resolve("cache/control-plane-1/inner"));
        cache().clean();
        assertThat(dir.resolve("cache/control-plane-1")).doesNotExist();
    }

    /** With a `go` that records its calls and runs this script for `go build`. */
    private Binaries binariesWithGo(String build) throws IOException {
        Path bin = Files.createDirectory(dir.resolve("bin"));
        Path calls = Files.createFile(dir.resolve("calls"));
        program(bin.resolve("go"), """
                echo "$@" >> "%s"
                [ "$1" = build ] || exit 0
                while [ "$1" != -o ]; do shift; done
                """.formatted(calls) + build);
        return binaries("", bin);
    }

    private Binaries binaries(String assets, Path... placesOfGo) {
        return new Binaries(KubernetesVersion.NEWEST, assets, List.of(placesOfGo), cache(), Progress.silent());
    }

    private long calls(String verb) throws IOException {
        return Files.readAllLines(dir.resolve("calls")).stream()
                .filter(line -> line.startsWith(verb))
                .count();
    }

    private ProgramCache cache() {
        return new ProgramCache(dir.resolve("cache"));
    }

    private static Path program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
