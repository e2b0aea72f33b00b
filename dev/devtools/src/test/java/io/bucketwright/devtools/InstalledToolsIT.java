package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.report.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tools of the built command, as a person runs them: with a proxy configured that leads nowhere. */
@Order(4)
class InstalledToolsIT {

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

    private InstalledCommand run(String... arguments) throws InterruptedException {
        InstalledCommand command = start(arguments);
        command.await();
        return command;
    }

    private InstalledCommand start(String... arguments) {
        return InstalledCommand.start(temporary, "run-" + System.nanoTime(), DEAD_PROXY, List.of(), arguments);
    }
}
