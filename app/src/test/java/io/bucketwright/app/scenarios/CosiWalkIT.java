package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.local.Addition;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What docs/cosi.md says, done: the installed commands with the rights of deploy/, and examples/cosi by kubectl. */
@OnCluster(with = Addition.S3)
class CosiWalkIT {

    @TempDir
    private Path folder;

    private final Deque<Process> running = new ArrayDeque<>();

    @Test
    void theExamplesBindAndGoWithTheDocumentedCommandsAndRights(TestCluster cluster) throws Exception {
        StoreAccess store = cluster.local().s3().orElseThrow();
        try (StoreView view = new StoreView(store)) {
            Set<String> before = view.buckets();
            kubectl(cluster, "apply", "-f", crds().toString());
            kubectl(cluster, "apply", "-f", "../deploy/cosi-rbac.yaml", "-f", "../deploy/cosi-sidecar-rbac.yaml");
            Path socket = folder.resolve("cosi.sock");
            start(
                    "controller",
                    Map.of(),
                    "controller",
                    "--only=cosi",
                    "--lease-namespace=bucketwright",
                    "--kubeconfig=" + account(cluster, "bucketwright", "bucketwright-cosi"));
            start(
                    "driver",
                    Map.of("AWS_ACCESS_KEY_ID", store.accessKeyId(), "AWS_SECRET_ACCESS_KEY", store.secretAccessKey()),
                    "cosi-driver",
                    "--store=s3",
                    "--listen=unix://" + socket,
                    "--param=endpoint=" + store.endpoint(),
                    "--param=iamEndpoint=" + store.iamEndpoint(),
                    "--param=region=" + store.region());
            start(
                    "sidecar",
                    Map.of(),
                    "cosi-sidecar",
                    "--provisioner=bucketwright-cosi/s3.bucketwright.io",
                    "--driver=unix://" + socket,
                    "--kubeconfig=" + account(cluster, "bucketwright-cosi", "cosi-sidecar"));

            kubectl(cluster, "apply", "-f", "../examples/cosi/1-bucket-class.yaml");
            kubectl(cluster, "apply", "-f", "../examples/cosi/2-bucket-access-class.yaml");
            kubectl(cluster, "apply", "-f", "../examples/cosi/3-bucket-request.yaml");
            kubectl(cluster, "apply", "-f", "../examples/cosi/4-bucket-access-request.yaml");
            Scenario.await("viewer to be Bound").until(() -> viewer(cluster).phase() == BucketAccessRequestPhase.BOUND);
            Map<String, String> keys = keys(cluster);
            String bucket = keys.getOrDefault("BUCKET_NAME", "");
            assertThat(bucket).startsWith("photos-");
            try (S3Client application = StoreView.application(keys, keys)) {
                assertThat(application.listObjectsV2(it -> it.bucket(bucket)).contents())
                        .isEmpty();
                assertThatThrownBy(() -> application.putObject(
                                it -> it.bucket(bucket).key("hello"), RequestBody.fromString("no")))
                        .as("the class grants reading")
                        .isInstanceOf(S3Exception.class);
            }
            kubectl(cluster, "delete", "-f", "../examples/cosi/4-bucket-access-request.yaml");
            kubectl(cluster, "delete", "-f", "../examples/cosi/3-bucket-request.yaml");
            Scenario.await("the request to go")
                    .until(() -> cluster.admin()
                            .resources(BucketRequest.class)
                            .inNamespace("default")
                            .list()
                            .getItems()
                            .isEmpty());
            assertThat(view.buckets()).isEqualTo(before);
            assertThat(log("driver") + log("sidecar") + log("controller"))
                    .doesNotContain(keys.getOrDefault("AWS_SECRET_ACCESS_KEY", "?"), store.secretAccessKey());
        } finally {
            running.forEach(Process::destroy);
            for (Process process : running) {
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
            kubectl(cluster, "delete", "--ignore-not-found", "-f", "../examples/cosi/1-bucket-class.yaml");
            kubectl(cluster, "delete", "--ignore-not-found", "-f", "../examples/cosi/2-bucket-access-class.yaml");
        }
    }

    private Path crds() throws Exception {
        return Files.writeString(folder.resolve("crds.yaml"), Installed.run(folder, "crds", "--only", "cosi"));
    }

    private BucketAccessRequest viewer(TestCluster cluster) {
        return cluster.admin()
                .resources(BucketAccessRequest.class)
                .inNamespace("default")
                .withName("viewer")
                .require();
    }

    private static Map<String, String> keys(TestCluster cluster) {
        return cluster
                .admin()
                .secrets()
                .inNamespace("default")
                .withName("photos-viewer")
                .require()
                .getData()
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new String(Base64.getDecoder().decode(entry.getValue()), StandardCharsets.UTF_8)));
    }

    private void start(String name, Map<String, String> environment, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("target/dist/bin/bucketwright", "--log-format=json"));
        all.addAll(Arrays.asList(words));
        ProcessBuilder builder = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        running.push(process);
        Scenario.await(name + " to start").until(() -> log(name).contains("Started") || !process.isAlive());
        assertThat(process.isAlive()).as(log(name)).isTrue();
    }

    private String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".log"));
    }

    /** A kubeconfig with the account's own token. */
    private Path account(TestCluster cluster, String namespace, String name) throws IOException {
        String token = Optional.ofNullable(cluster.admin()
                        .serviceAccounts()
                        .inNamespace(namespace)
                        .withName(name)
                        .tokenRequest(new TokenRequestBuilder()
                                .withNewSpec()
                                .withExpirationSeconds(3600L)
                                .endSpec()
                                .build())
                        .getStatus())
                .orElseThrow()
                .getToken();
        String kubeconfig = Files.readString(cluster.local().kubeconfig())
                .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
        return Files.writeString(folder.resolve("kubeconfig-" + name), kubeconfig);
    }

    private static void kubectl(TestCluster cluster, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                cluster.local().kubectl().toString(),
                "--kubeconfig=" + cluster.local().kubeconfig()));
        all.addAll(Arrays.asList(words));
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(all + ": " + printed).isZero();
    }
}
