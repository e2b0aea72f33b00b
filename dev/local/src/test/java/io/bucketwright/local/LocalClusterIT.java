package io.bucketwright.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.bucketwright.local.ClusterStatus.ComponentStatus;
import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import io.bucketwright.local.server.Component;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster through its Java API and kubectl: this module has no Kubernetes client. */
class LocalClusterIT {

    private static LocalCluster cluster;

    @TempDir
    private Path dir;

    @BeforeAll
    static void start() {
        cluster = LocalCluster.builder().with(AddOn.S3).start();
    }

    @AfterAll
    static void close() {
        cluster.close();
        assertThat(cluster.dir()).doesNotExist();
    }

    @Test
    void isReadyWhenStartReturns() {
        assertThat(kubectl(cluster, "get", "--raw", "/readyz")).isEqualTo("ok");
        assertThat(kubectl(cluster, "get", "namespaces", "-o", "name"))
                .contains("namespace/default", "namespace/kube-system");
        assertThat(kubectl(cluster, "version"))
                .contains("Server Version: v"
                        + Binaries.ofThisUser(Progress.silent()).kubernetes().text() + ".");
        assertThat(cluster.status().ready()).isTrue();
        assertThat(cluster.status().components())
                .containsOnlyKeys("etcd", "kube-apiserver", "kube-controller-manager", "versitygw-iam", "versitygw")
                .allSatisfy((_, component) -> {
                    assertThat(component.pid()).isPositive();
                    assertThat(component.port()).isPositive();
                });
    }

    @Test
    void theControllerManagerDeletesObjectsWithoutTheirOwner() {
        kubectl(cluster, "create", "configmap", "owner");
        String uid = kubectl(cluster, "get", "configmap", "owner", "-o", "jsonpath={.metadata.uid}");
        kubectl(cluster, "create", "configmap", "owned");
        String patched = kubectl(
                cluster,
                "patch",
                "configmap",
                "owned",
                "--type=merge",
                "-p",
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"owner\",\"uid\":\""
                        + uid + "\"}]}}");
        assertThat(patched).isEqualTo("configmap/owned patched");
        kubectl(cluster, "delete", "configmap", "owner");
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(kubectl(cluster, "get", "configmaps,namespaces", "-o", "name"))
                        .contains("namespace/default")
                        .doesNotContain("configmap/owned"));
    }

    @Test
    void aUserIsAuthenticatedByNameAndHasNoPermissionsUntilARoleIsBound() throws IOException {
        Path kubeconfig = cluster.kubeconfigFor("system:tester:\"quoted\"", "testers");

        assertThat(kubectl(cluster, kubeconfig, "auth", "whoami")).contains("system:tester:\"quoted\"", "testers");
        assertThat(kubectl(cluster, kubeconfig, "get", "secrets")).contains("forbidden");
        assertThat(Files.readString(cluster.auditLog())).contains("system:tester:\\\"quoted\\\"");
    }

    @Test
    void aUserInTheGroupOfAdministratorsHasAllPermissions() {
        Path kubeconfig = cluster.kubeconfigFor("jane", "system:masters");
        assertThat(kubectl(cluster, kubeconfig, "auth", "can-i", "delete", "secrets"))
                .isEqualTo("yes");
    }

    @Test
    void theStoreAnswersAndAsksForCredentials() throws Exception {
        var s3 = cluster.s3().orElseThrow();
        try (HttpClient client =
                HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build()) {
            HttpRequest listBuckets =
                    HttpRequest.newBuilder(URI.create(s3.endpoint() + "/")).build();
            HttpRequest listUsers = HttpRequest.newBuilder(URI.create(s3.iamEndpoint() + "/"))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString("Action=ListUsers&Version=2010-05-08"))
                    .build();
            for (HttpRequest request : List.of(listBuckets, listUsers)) {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isEqualTo(403);
            }
        }
        assertThat(s3.toString()).doesNotContain(s3.secretAccessKey());
    }

    @Test
    void severalRunAtOnceAndClosingOneLeavesTheOthers() {
        Path other = dir.resolve("other");
        try (LocalCluster second = LocalCluster.builder().dir(other).start()) {
            assertThat(kubectl(second, "create", "namespace", "only-here")).isEqualTo("namespace/only-here created");
            assertThat(kubectl(cluster, "get", "namespaces", "-o", "name"))
                    .contains("namespace/default")
                    .doesNotContain("only-here");
        }
        assertThat(other).doesNotExist();
        assertThat(kubectl(cluster, "get", "--raw", "/readyz")).isEqualTo("ok");
    }

    @Test
    void startedAgainItIsTheSameClusterAndItsFirstOwnerKeepsIt() {
        ClusterStatus before = cluster.status();
        try (LocalCluster again = LocalCluster.builder().dir(cluster.dir()).start()) {
            assertThat(again.status()).isEqualTo(before);
        }
        assertThat(cluster.status()).isEqualTo(before);
    }

    @Test
    void everyObjectStoreIsAddedToARunningClusterAndShownWithTheFileOfItsKeys() {
        Path own = dir.resolve("own");
        try (LocalCluster first = LocalCluster.builder().dir(own).start()) {
            List<AddOn> stores = Arrays.stream(AddOn.values())
                    .filter(addOn -> addOn.store().isPresent())
                    .toList();
            first.add(stores);

            assertThat(first.status().ready()).isTrue();
            assertThat(first.status().stores().keySet()).containsExactly("s3", "minio", "ceph", "azure", "gcs", "moto");
            first.status().stores().forEach((kind, store) -> {
                assertThat(store.endpoint()).startsWith("http://127.0.0.1:");
                if (!kind.equals("gcs")) {
                    assertThat(Path.of(store.credentialsFile()))
                            .hasParent(own.resolve(kind))
                            .content()
                            .contains(store.accessKeyId(), store.secretAccessKey());
                }
            });
        }
        assertThat(own).doesNotExist();
    }

    @Test
    void aRestartedServerKeepsItsPortAndItsData() {
        try (LocalCluster own = LocalCluster.builder().dir(dir.resolve("own")).start()) {
            kubectl(own, "create", "configmap", "kept");
            for (Component component : List.of(Component.KUBE_APISERVER, Component.ETCD)) {
                ComponentStatus before = status(own, component);
                own.kill(component);
                assertThat(status(own, component).running()).isFalse();
                assertThat(own.status().ready()).isFalse();
                own.start(component);
                assertThat(status(own, component).port()).isEqualTo(before.port());
                assertThat(status(own, component).pid()).isNotEqualTo(before.pid());
            }
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> kubectl(own, "get", "configmap", "kept", "-o", "name")
                            .equals("configmap/kept"));
        }
    }

    @Test
    void aKilledComponentIsStartedAgainByTheNextUpAndTheOthersAreNotChanged() {
        Path own = dir.resolve("own");
        try (LocalCluster first = LocalCluster.builder().dir(own).start()) {
            kubectl(first, "create", "configmap", "kept");
            ComponentStatus etcd = status(first, Component.ETCD);
            first.kill(Component.KUBE_APISERVER);

            try (LocalCluster second = LocalCluster.builder().dir(own).start()) {
                assertThat(status(second, Component.ETCD)).isEqualTo(etcd);
                assertThat(kubectl(second, "get", "configmap", "kept", "-o", "name"))
                        .isEqualTo("configmap/kept");
            }
            assertThat(first.status().ready()).as("the second did not own it").isTrue();
        }
        assertThat(own).doesNotExist();
    }

    @Test
    void aComponentThatExitsReportsWhyAndTheClusterIsRemoved() {
        Path broken = dir.resolve("broken");
        assertThatThrownBy(() -> LocalCluster.builder()
                        .dir(broken)
                        .apiServerFlag("--no-such-flag=1")
                        .start()
                        .close())
                .isInstanceOf(LocalClusterException.class)
                .hasMessageContaining("kube-apiserver exited during startup")
                .hasMessageContaining("unknown flag: --no-such-flag");
        assertThat(broken).doesNotExist();
    }

    private static ComponentStatus status(LocalCluster of, Component component) {
        return Optional.ofNullable(of.status().components().get(component.processName()))
                .orElseThrow();
    }

    static String kubectl(LocalCluster of, String... arguments) {
        return kubectl(of, of.kubeconfig(), arguments);
    }

    private static String kubectl(LocalCluster of, Path kubeconfig, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                of.kubectl().toString(),
                "--kubeconfig=" + kubeconfig,
                "--cache-dir=" + of.dir().resolve("users/cache")));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output.trim();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
