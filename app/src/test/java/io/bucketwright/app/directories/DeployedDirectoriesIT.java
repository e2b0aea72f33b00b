package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed command, under the flags of the document and with the rights of deploy/directories-rbac.yaml only. */
@OnCluster
class DeployedDirectoriesIT {

    @TempDir
    private Path temporary;

    @Test
    void twoReplicasServeAndOneKilledInTheMiddleLeavesNothingUndoneThenAnArchiveIsRestored(TestCluster cluster)
            throws Exception {
        KubernetesClient admin = cluster.admin();
        try (FileInputStream rbac = new FileInputStream("../deploy/directories-rbac.yaml")) {
            admin.load(rbac).serverSideApply();
        }
        Path root = Files.createDirectory(temporary.resolve("root"));
        String storageClass = cluster.namespace();
        admin.resource("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: example.com/%s
                parameters: {assetRoot: %s, defaultOwnerAssetUid: "1000", defaultOwnerAssetGid: "1000", onDelete: archive}
                """.formatted(storageClass, cluster.namespace(), root)).create();
        Process one = start(cluster, "one", storageClass, root);
        await().atMost(1, TimeUnit.MINUTES).until(() -> log("one").contains("Leading"));
        Process two = start(cluster, "two", storageClass, root);
        try {
            await().atMost(1, TimeUnit.MINUTES).until(() -> log("two").contains("Started"));
            for (int i = 0; i < 40; i++) {
                claim(cluster, "mine-" + i, storageClass, "false");
                if (i == 20) {
                    one.destroyForcibly();
                }
            }
            await().atMost(2, TimeUnit.MINUTES).until(() -> bound(cluster) == 40);
            assertThat(one.isAlive()).isFalse();
            assertThat(names(root)).hasSize(41);
            assertThat(log("two")).doesNotContainIgnoringCase("forbidden").doesNotContain("ERROR");

            Path directory = root.resolve(cluster.namespace() + "-mine-7-vol");
            Files.writeString(directory.resolve("file"), "precious");
            admin.persistentVolumeClaims()
                    .inNamespace(cluster.namespace())
                    .withName("mine-7")
                    .delete();
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            !Files.exists(root.resolve(".bucketwright/" + cluster.namespace() + "-mine-7-vol.json")));
            String listed = run("directory", "archives", "--storage-asset-root", root.toString());
            assertThat(listed).contains(cluster.namespace() + "/mine-7").doesNotContain("mine-8");
            String archive = listed.substring(0, listed.indexOf(" "));
            assertThat(run("directory", "restore", "--storage-asset-root", root.toString(), archive))
                    .contains("Restored " + archive);
            assertThat(directory.resolve("file")).hasContent("precious");
            claim(cluster, "mine-7", storageClass, "true");
            await().atMost(1, TimeUnit.MINUTES).until(() -> bound(cluster) == 40);
            assertThat(directory.resolve("file")).hasContent("precious");
            assertThat(run("directory", "archives", "--storage-asset-root", root.toString()))
                    .contains("No archived directories");
            admin.persistentVolumeClaims().inNamespace(cluster.namespace()).delete();
            await().atMost(2, TimeUnit.MINUTES)
                    .until(() -> names(root).equals(List.of(".bucketwright"))
                            && names(root.resolve(".bucketwright")).equals(List.of("archive", "root.json")));
            assertThat(names(root.resolve(".bucketwright/archive"))).hasSize(80);
        } finally {
            one.destroyForcibly();
            two.destroy();
            assertThat(two.waitFor(30, TimeUnit.SECONDS)).isTrue();
            admin.storage().v1().storageClasses().withName(storageClass).delete();
        }
        assertThat(admin.leases()
                        .inNamespace("bucketwright")
                        .withName("bucketwright-directories")
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .as("the lease was given back")
                .isNullOrEmpty();
    }

    private static void claim(TestCluster cluster, String name, String storageClass, String reuse) {
        cluster.admin()
                .resource("""
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata:
                          name: %s
                          annotations: {storage-asset.pv.provisioner/reuse-existing: "%s"}
                        spec:
                          storageClassName: %s
                          accessModes: [ReadWriteMany]
                          resources: {requests: {storage: 1Mi}}
                        """.formatted(name, reuse, storageClass))
                .inNamespace(cluster.namespace())
                .create();
    }

    private static long bound(TestCluster cluster) {
        return cluster.admin().persistentVolumeClaims().inNamespace(cluster.namespace()).list().getItems().stream()
                .map(PersistentVolumeClaim::getStatus)
                .filter(status -> "Bound".equals(status.getPhase()))
                .count();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private Process start(TestCluster cluster, String name, String storageClass, Path root) throws IOException {
        String token = cluster.admin()
                .serviceAccounts()
                .inNamespace("bucketwright")
                .withName("bucketwright-directories")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        String kubeconfig = Files.readString(cluster.local().kubeconfig())
                .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
        Path file = Files.writeString(temporary.resolve("kubeconfig"), kubeconfig);
        return command(
                        "directory-provisioner",
                        "--storage-class=" + storageClass,
                        "--storage-asset-root=" + root,
                        "--kubectl-config=" + file,
                        "--lease-namespace=bucketwright",
                        "--lease-duration=3s",
                        "--log-format=json")
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(name).toFile())
                .start();
    }

    private static ProcessBuilder command(String... arguments) {
        ProcessBuilder builder =
                new ProcessBuilder(Stream.concat(Stream.of("target/dist/bin/bucketwright"), Stream.of(arguments))
                        .toList());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    private static String run(String... arguments) throws Exception {
        Process process = command(arguments).redirectErrorStream(true).start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(answer).isZero();
        return answer;
    }

    private String log(String name) throws IOException {
        return Files.readString(temporary.resolve(name));
    }
}
