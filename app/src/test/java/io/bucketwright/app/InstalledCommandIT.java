package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.report.Progress;
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

/** The installed command, as a person runs it: with a proxy configured that leads nowhere. */
@Order(4)
class InstalledCommandIT {

    private static final Map<String, String> DEAD_PROXY = Map.of(
            "HTTP_PROXY", "http://127.0.0.1:9",
            "HTTPS_PROXY", "http://127.0.0.1:9",
            "http_proxy", "http://127.0.0.1:9");

    @TempDir
    private Path temporary;

    @Test
    void upStatusKubeconfigAndDownWorkTogether() throws Exception {
        String dir = temporary.resolve("c").toString();
        try {
            InstalledCommand up = run("local", "up", "--dir", dir, "--with", "s3");
            assertThat(up.process().exitValue()).as(up.err()).isZero();
            assertThat(up.out()).contains("export KUBECONFIG=" + dir + "/kubeconfig");

            JsonNode status = new ObjectMapper()
                    .readTree(run("local", "status", "--dir", dir, "-o", "json").out());
            assertThat(status.path("kubeconfig").asText()).isEqualTo(dir + "/kubeconfig");
            assertThat(status.path("auditLog").asText()).isEqualTo(dir + "/audit.log");
            for (String component : List.of("etcd", "kube-apiserver", "kube-controller-manager", "versitygw")) {
                assertThat(status.path("components").path(component).path("pid").asLong())
                        .isPositive();
                assertThat(status.path("components")
                                .path(component)
                                .path("port")
                                .asInt())
                        .isPositive();
            }
            JsonNode s3 = status.path("stores").path("s3");
            assertThat(Stream.of("endpoint", "iamEndpoint", "accessKeyId", "secretAccessKey"))
                    .allSatisfy(field -> assertThat(s3.path(field).asText()).isNotEmpty());

            InstalledCommand again = run("local", "up", "--dir", dir);
            assertThat(again.process().exitValue()).isZero();
            assertThat(new ObjectMapper()
                            .readTree(run("local", "status", "--dir", dir, "-o", "json")
                                    .out()))
                    .isEqualTo(status);

            String kubeconfig = run("local", "kubeconfig", "--dir", dir, "--user", "jane", "--group", "testers")
                    .out();
            Path file = Files.writeString(temporary.resolve("jane"), kubeconfig);
            assertThat(run("local", "kubectl", "--dir", dir, "--kubeconfig", file.toString(), "auth", "whoami")
                            .out())
                    .contains("jane", "testers");
            assertThat(run("local", "kubectl", "--dir", dir, "get", "namespaces", "-o", "name")
                            .out())
                    .contains("namespace/default");
        } finally {
            InstalledCommand down = run("local", "down", "--dir", dir);
            assertThat(down.out()).contains("Cluster deleted.");
        }
        assertThat(Path.of(dir)).doesNotExist();
        assertThat(InstalledCommand.processesOf(dir)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "KILL"})
    void killingLocalUpWhileItStartsLeavesNothing(String signal) throws Exception {
        String dir = temporary.resolve("c").toString();
        Process up = start("local", "up", "--dir", dir).process();
        await().atMost(1, TimeUnit.MINUTES).until(() -> Files.exists(Path.of(dir, "pids", "etcd")));
        assertThat(InstalledCommand.processesOf(dir)).isNotEmpty();

        new ProcessBuilder("kill", "-" + signal, Long.toString(up.pid()))
                .start()
                .waitFor();

        assertThat(up.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(up.exitValue()).isNotZero();
        await().until(() -> InstalledCommand.processesOf(dir).isEmpty());
        await().until(() -> !Files.exists(Path.of(dir)));
    }

    @Test
    void theDemoBindsUsesAndDeletesAClaim() throws Exception {
        InstalledCommand demo = run("demo");
        assertThat(demo.process().exitValue()).as(demo.out() + demo.err()).isZero();
        assertThat(demo.out())
                .contains(
                        "Kubernetes v" + kubernetes() + ".",
                        "objectbucketclaims.objectbucket.io: installed",
                        "Bound after",
                        "BUCKET_ENDPOINT=http://127.0.0.1:",
                        "AWS_SECRET_ACCESS_KEY=***",
                        "writes and reads back: \"Hello, bucket\"",
                        "can list all buckets of the store: no",
                        "ObjectBucket are deleted",
                        "bucketclaims.objectstorage.k8s.io: installed",
                        "bucketReady after",
                        "accessGranted after",
                        "\"accessSecretKey\" : \"***\"",
                        "writes and reads back: \"Hello, COSI\"",
                        "its keys still give access: no",
                        "Bucket, account and Secret are deleted.",
                        "Deleted.")
                .doesNotContain("BucketRequest", "cosi.io:");
        assertThat(demo.err()).doesNotContain("WARN", "DEBUG", "Exception");
    }

    private static String kubernetes() {
        return Binaries.ofThisUser(Progress.silent()).kubernetes().text();
    }

    @Test
    void theCommandStartsWithTheCacheOfTheBuild() throws Exception {
        InstalledCommand version = version(InstalledCommand.DIST, "");
        assertThat(version.out()).startsWith("bucketwright 0.").contains("Java 25");
        assertThat(version.err()).isEmpty();
        assertThat(sourceOfMain()).contains("shared objects file");
    }

    /** As after {@code cp -r}: the files are the same, but their times are not. */
    @Test
    void aCacheThatDoesNotFitIsIgnored() throws Exception {
        copyWithCache();
        InstalledCommand version = version(temporary.resolve("copy"), "");
        assertThat(version.out()).startsWith("bucketwright 0.");
        assertThat(version.err()).isEmpty();
        assertThat(sourceOfMain()).contains("bucketwright-app");
    }

    /** As in an image: the directory is not the one of the build. The class path of a controller has more jars than the cache. */
    @Test
    void theCacheIsUsedInAnotherDirectory() throws Exception {
        copyWithCache(StandardCopyOption.COPY_ATTRIBUTES);
        InstalledCommand help = run(temporary.resolve("copy"), "", "controller", "--help");
        assertThat(help.out()).startsWith("Usage: bucketwright controller");
        assertThat(sourceOf("io.bucketwright.app.Main")).contains("shared objects file");
        // Its classes have a format that the JVM does not archive; the build upgrades them.
        assertThat(sourceOf("picocli.CommandLine")).contains("shared objects file");
    }

    /** The JVM does not start with these options and a cache. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:off", "-XX:AOTMode=off"})
    void theCacheIsNotUsedWithOptionsThatExcludeIt(String option) throws Exception {
        InstalledCommand version = version(InstalledCommand.DIST, option);
        assertThat(version.out()).startsWith("bucketwright 0.");
        assertThat(version.err()).isEmpty();
        assertThat(sourceOfMain()).contains("bucketwright-app");
    }

    @Test
    void aTrainingRunThatFailsLeavesNoCache() throws Exception {
        Path lib = Files.createDirectories(temporary.resolve("empty/lib"));
        Path bin = Files.createDirectories(temporary.resolve("empty/bin")).resolve("bucketwright");
        Files.copy(InstalledCommand.DIST.resolve("bin/bucketwright"), bin, StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(lib.resolve("core"));

        InstalledCommand creation = InstalledCommand.startAny(
                temporary, "creation", Map.of(), List.of(bin.toString(), "--create-aot-cache"));
        assertThat(creation.await()).isEqualTo(1);
        assertThat(creation.err()).endsWith("bucketwright: The AOT cache was not created.\n");
        try (Stream<Path> files = Files.list(lib)) {
            assertThat(files).containsExactly(lib.resolve("core"));
        }
    }

    /** A process that is killed cannot remove its files: what it wrote is removed by the script that started it. */
    @Test
    void aTrainingRunThatIsInterruptedLeavesNothing() throws Exception {
        Path lib = copyWithoutCache();
        InstalledCommand creation = InstalledCommand.startAny(
                temporary,
                "creation",
                Map.of(),
                List.of(temporary.resolve("copy/bin/bucketwright").toString(), "--create-aot-cache"));
        await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(lib.resolve("bucketwright.aot.new.kubeconfig")));
        creation.process().destroy();
        assertThat(creation.await()).isEqualTo(1);
        await().until(() -> InstalledCommand.processesOf(lib.toString()).isEmpty());
        try (Stream<Path> files = Files.list(lib)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> !name.endsWith(".jar"))
                    .containsExactlyInAnyOrder("core", "client", "local", "s3", "cosi");
        }
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

    /** Where the JVM found the main class. */
    private String sourceOfMain() throws IOException {
        return sourceOf("io.bucketwright.app.Main");
    }

    private String sourceOf(String type) throws IOException {
        try (Stream<String> lines = Files.lines(temporary.resolve("classes"))) {
            return lines.filter(line -> line.contains(" " + type + " "))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private InstalledCommand run(String... arguments) throws InterruptedException {
        InstalledCommand command = start(arguments);
        command.await();
        return command;
    }

    private InstalledCommand start(String... arguments) {
        return InstalledCommand.start(temporary, "run-" + System.nanoTime(), DEAD_PROXY, List.of(), arguments);
    }
}
