package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The installed command and its AOT cache. */
@Order(4)
class InstalledCommandIT {

    /** The jars of the training run, which is not a part of the product. */
    private static final Map<String, String> TRAINING = Map.of(
            "BUCKETWRIGHT_TRAINING_LIB",
            InstalledCommand.DIST.resolveSibling("training").toAbsolutePath().toString());

    @TempDir
    private Path temporary;

    @Test
    void theCommandStartsWithTheCacheOfTheBuild() throws Exception {
        InstalledCommand version = version(InstalledCommand.DIST, "");
        assertThat(version.out()).startsWith("bucketwright 0.").contains("Java 25");
        assertThat(version.err()).isEmpty();
        assertThat(sourceOf("io.bucketwright.app.Main")).contains("shared objects file");
    }

    /** As after {@code cp -r}: the files are the same, but their times are not. */
    @Test
    void aCacheThatDoesNotFitIsIgnored() throws Exception {
        copyWithCache();
        InstalledCommand version = version(temporary.resolve("copy"), "");
        assertThat(version.out()).startsWith("bucketwright 0.");
        assertThat(version.err()).isEmpty();
        assertThat(sourceOf("io.bucketwright.app.Main")).contains("bucketwright-app");
    }

    /** As in an image: the directory is not the one of the build. The class path of a controller has more jars than the cache. */
    @Test
    void theCacheIsUsedInAnotherDirectory() throws Exception {
        copyWithCache(StandardCopyOption.COPY_ATTRIBUTES);
        InstalledCommand help = run(temporary.resolve("copy"), "", "controller", "--help");
        assertThat(help.out()).startsWith("Usage: bucketwright controller");
        assertThat(sourceOf("io.bucketwright.app.Main")).contains("shared objects file");
        assertThat(sourceOf("io.bucketwright.runtime.queue.WorkQueue")).contains("shared objects file");
    }

    /** The JVM does not start with these options and a cache. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:off", "-XX:AOTMode=off"})
    void theCacheIsNotUsedWithOptionsThatExcludeIt(String option) throws Exception {
        InstalledCommand version = version(InstalledCommand.DIST, option);
        assertThat(version.out()).startsWith("bucketwright 0.");
        assertThat(version.err()).isEmpty();
        assertThat(sourceOf("io.bucketwright.app.Main")).contains("bucketwright-app");
    }

    @Test
    void aTrainingRunThatFailsLeavesNoCache() throws Exception {
        Path lib = Files.createDirectories(temporary.resolve("empty/lib"));
        Path bin = Files.createDirectories(temporary.resolve("empty/bin")).resolve("bucketwright");
        Files.copy(InstalledCommand.DIST.resolve("bin/bucketwright"), bin, StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(lib.resolve("core"));

        InstalledCommand creation = createCache(bin, TRAINING);
        assertThat(creation.await()).isEqualTo(1);
        assertThat(creation.err()).endsWith("bucketwright: The AOT cache was not created.\n");
        try (Stream<Path> files = Files.list(lib)) {
            assertThat(files).containsExactly(lib.resolve("core"));
        }
    }

    @Test
    void anInstallationWithoutToolsHasNoTrainingRun() throws Exception {
        Path lib = copyWithoutCache();
        InstalledCommand creation = createCache(temporary.resolve("copy/bin/bucketwright"), Map.of());
        assertThat(creation.await()).isEqualTo(1);
        assertThat(creation.err()).contains(lib.getParent() + "/lib/local has no training run", "tool of a clone");
    }

    /** A process that is killed cannot remove its files: what it wrote is removed by the script that started it. */
    @Test
    void aTrainingRunThatIsInterruptedLeavesNothing() throws Exception {
        Path lib = copyWithoutCache();
        InstalledCommand creation = createCache(temporary.resolve("copy/bin/bucketwright"), TRAINING);
        await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(lib.resolve("bucketwright.aot.new.kubeconfig")));
        creation.process().destroy();
        assertThat(creation.await()).isEqualTo(1);
        await().until(() -> InstalledCommand.processesOf(lib.toString()).isEmpty());
        try (Stream<Path> files = Files.list(lib)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> !name.endsWith(".jar"))
                    .containsExactlyInAnyOrder("core", "client", "s3", "cosi");
        }
    }

    private InstalledCommand createCache(Path bin, Map<String, String> environment) {
        return InstalledCommand.startAny(
                temporary, "creation", environment, List.of(bin.toString(), "--create-aot-cache"));
    }

    /** A copy of the distribution in {@code copy}, with its cache. */
    private void copyWithCache(CopyOption... options) throws IOException {
        Path lib = InstalledCommand.DIST.resolve("lib").toAbsolutePath();
        Path copy = copyWithoutCache();
        Files.createSymbolicLink(copy.resolve("bucketwright.aot"), lib.resolve("bucketwright.aot"));
        Files.copy(lib.resolve("bucketwright.aot.release"), copy.resolve("bucketwright.aot.release"), options);
    }

    /** A copy of the distribution in {@code copy}; returns its folder of jars. */
    private Path copyWithoutCache() throws IOException {
        Path lib = InstalledCommand.DIST.resolve("lib").toAbsolutePath();
        Path copy = Files.createDirectories(temporary.resolve("copy/lib"));
        try (Stream<Path> files = Files.list(lib)) {
            for (Path same : files.toList()) {
                Path name = same.getFileName();
                if (!name.toString().startsWith("bucketwright.aot")) {
                    Files.createSymbolicLink(copy.resolve(name), same);
                }
            }
        }
        Files.createDirectories(temporary.resolve("copy/bin"));
        Files.copy(
                InstalledCommand.DIST.resolve("bin/bucketwright"),
                temporary.resolve("copy/bin/bucketwright"),
                StandardCopyOption.COPY_ATTRIBUTES);
        return copy;
    }

    private InstalledCommand version(Path dist, String option) throws InterruptedException {
        return run(dist, option, "--version");
    }

    private InstalledCommand run(Path dist, String option, String... arguments) throws InterruptedException {
        InstalledCommand command = InstalledCommand.startAny(
                temporary,
                "version",
                Map.of("BUCKETWRIGHT_JAVA_OPTS", option + " -Xlog:class+load:file=" + temporary.resolve("classes")),
                Stream.concat(
                                Stream.of(dist.resolve("bin/bucketwright")
                                        .toAbsolutePath()
                                        .toString()),
                                Stream.of(arguments))
                        .toList());
        assertThat(command.await()).as(command.err()).isZero();
        return command;
    }

    /** Where the JVM found the class. */
    private String sourceOf(String type) throws IOException {
        try (Stream<String> lines = Files.lines(temporary.resolve("classes"))) {
            return lines.filter(line -> line.contains(" " + type + " "))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
