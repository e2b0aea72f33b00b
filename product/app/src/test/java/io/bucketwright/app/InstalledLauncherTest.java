package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the launcher of the installed command passes to the JVM: in place of it, a script prints its arguments. */
class InstalledLauncherTest {

    private static final String GROUP = "/kubepods/pod1/bucketwright";

    @TempDir
    private Path home;

    @BeforeEach
    void install() throws IOException {
        String launcher = Files.readString(Path.of("src/main/bin/bucketwright"))
                .replace("/sys/fs/cgroup", home.resolve("cgroup").toString())
                .replace("/proc/self/cgroup", home.resolve("self").toString());
        script("bin/bucketwright", launcher);
        script("jdk/bin/java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        write("jdk/release", "JAVA_VERSION=\"25.0.3\"\n");
        for (String jar : List.of(
                "core/b.jar",
                "core/a.jar",
                "s3/s.jar",
                "cosi/g.jar",
                "local/l.jar",
                "tools/t.jar",
                "client/c.jar",
                "m.jar")) {
            write("lib/" + jar, "");
        }
        write("self", "0::" + GROUP + "\n");
    }

    /** Of a large limit, all but 96 MiB is heap; of a small one, half. */
    @ParameterizedTest
    @CsvSource({"128, 64", "192, 96", "256, 160", "1024, 928"})
    void theHeapFitsIntoTheLimitOfTheContainer(int limit, int heap) throws Exception {
        write("cgroup" + GROUP + "/memory.max", bytes(limit));
        assertThat(run("controller")).contains("-Xmx" + heap + "m");
    }

    @Test
    void withoutALimitTheHeapHasADefault() throws Exception {
        assertThat(run("controller")).contains("-Xmx512m");
        write("cgroup" + GROUP + "/memory.max", "max\n");
        assertThat(run("controller")).contains("-Xmx512m");
        Files.delete(home.resolve("self"));
        assertThat(run("controller")).contains("-Xmx512m");
    }

    @Test
    void theSmallestLimitOfAllGroupsAroundTheProcessCounts() throws Exception {
        write("cgroup" + GROUP + "/memory.max", bytes(512));
        write("cgroup/kubepods/pod1/memory.max", bytes(256));
        write("cgroup/kubepods/memory.max", "max\n");
        assertThat(run("controller")).contains("-Xmx160m");
    }

    /** In a container, the file system of control groups often begins with its own group. */
    @Test
    void theLimitIsAlsoFoundAtTheRoot() throws Exception {
        write("self", "0::/\n");
        write("cgroup/memory.max", bytes(256));
        assertThat(run("controller")).contains("-Xmx160m");
    }

    @Test
    void controlGroupsOfVersion1AreKnown() throws Exception {
        write("self", "9:name=systemd:/\n4:memory:" + GROUP + "\n1:cpu:/other\n0::/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(run("controller")).contains("-Xmx512m");
        write("cgroup/memory" + GROUP + "/memory.limit_in_bytes", bytes(256));
        assertThat(run("controller")).contains("-Xmx160m");
    }

    @Test
    void aHeapInTheOptionsWins() throws Exception {
        write("cgroup" + GROUP + "/memory.max", bytes(256));
        assertThat(run(Map.of("BUCKETWRIGHT_JAVA_OPTS", "-Xss1m -Xmx99m"), "controller"))
                .filteredOn(argument -> argument.startsWith("-Xmx"))
                .containsExactly("-Xmx99m");
    }

    /** The AOT cache is valid for class paths that begin with lib and lib/core. */
    @ParameterizedTest
    @CsvSource({
        "controller, m core/a core/b s3/s",
        "controller --store s3, m core/a core/b s3/s",
        "controller --store none --only buckets, m core/a core/b",
        "controller --store=azure, m core/a core/b",
        "controller --store gcs, m core/a core/b",
        "controller --only buckets --store=none, m core/a core/b",
        "pv-releaser, m core/a core/b",
        "claim, m core/a core/b client/c s3/s",
        "cosi controller, m core/a core/b",
        "cosi sidecar, m core/a core/b cosi/g s3/s",
        "cosi driver --store=none, m core/a core/b cosi/g",
        "cosi transfer, m core/a core/b client/c cosi/g s3/s",
        "cosi, m core/a core/b client/c cosi/g s3/s",
        "demo, m core/a core/b client/c tools/t local/l s3/s cosi/g",
        "--log-level debug pv-releaser, m core/a core/b client/c tools/t local/l s3/s cosi/g",
        "--log-level=debug --log-format=json pv-releaser --workers 1, m core/a core/b",
        "--version, m core/a core/b"
    })
    void aCommandHasOnlyTheJarsThatItNeeds(String command, String jars) throws Exception {
        List<String> expected = new ArrayList<>();
        for (String jar : jars.split(" ", -1)) {
            expected.add(home.resolve("lib/" + jar + ".jar").toString());
        }
        List<String> words = List.of(command.split(" ", -1));
        List<String> arguments = run(words.toArray(String[]::new));
        assertThat(arguments.get(arguments.indexOf("-cp") + 1)).isEqualTo(String.join(":", expected));
        assertThat(arguments.subList(arguments.indexOf("io.bucketwright.app.Main") + 1, arguments.size()))
                .isEqualTo(words);
    }

    @Test
    void theEnvironmentCanNameTheStore() throws Exception {
        List<String> arguments = run(Map.of("BUCKETWRIGHT_STORE", "none"), "controller");
        assertThat(arguments.get(arguments.indexOf("-cp") + 1)).doesNotContain("/s3/");
        assertThat(run(Map.of("BUCKETWRIGHT_STORE", "none"), "controller", "--store", "s3"))
                .anySatisfy(argument -> assertThat(argument).contains("/s3/"));
    }

    /** The JVM would load all classes of the cache, and most are those of a client of Kubernetes. */
    @ParameterizedTest
    @CsvSource({"controller, true", "cosi sidecar, true", "cosi driver, false", "cosi sanity, false", "local up, false"
    })
    void onlyAClientOfKubernetesUsesTheCache(String command, boolean used) throws Exception {
        write("lib/bucketwright-app-1.jar", "");
        write("lib/bucketwright.aot", "");
        Files.copy(home.resolve("jdk/release"), home.resolve("lib/bucketwright.aot.release"));
        Files.setLastModifiedTime(
                home.resolve("lib/bucketwright.aot.release"),
                Files.getLastModifiedTime(home.resolve("lib/bucketwright-app-1.jar")));
        assertThat(run(command.split(" ", -1)).contains("-XX:AOTCache=" + home.resolve("lib/bucketwright.aot")))
                .isEqualTo(used);
    }

    private List<String> run(String... arguments) throws Exception {
        return run(Map.of(), arguments);
    }

    private List<String> run(Map<String, String> environment, String... arguments) throws Exception {
        ProcessBuilder launcher =
                new ProcessBuilder(home.resolve("bin/bucketwright").toString());
        launcher.command().addAll(List.of(arguments));
        launcher.environment().remove("BUCKETWRIGHT_JAVA_OPTS");
        launcher.environment().remove("BUCKETWRIGHT_STORE");
        launcher.environment().remove("JAVA_TOOL_OPTIONS");
        launcher.environment().remove("JDK_JAVA_OPTIONS");
        launcher.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        launcher.environment().putAll(environment);
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        int code = launcher.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        assertThat(code).as(Files.readString(err)).isZero();
        assertThat(err).isEmptyFile();
        return Files.readAllLines(out);
    }

    private static String bytes(int mebibytes) {
        return ((long) mebibytes << 20) + "\n";
    }

    private void script(String name, String text) throws IOException {
        write(name, text);
        Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void write(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }
}
