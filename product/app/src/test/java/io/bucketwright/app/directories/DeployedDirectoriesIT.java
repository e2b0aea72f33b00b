package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
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
        InstalledCommand.deploy(cluster, "directories-rbac.yaml");
        Path root = Files.createDirectory(temporary.resolve("root"));
        String storageClass = cluster.namespace();
        admin.resource("""
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: example.com/%s
            parameters: {assetRoot: %s, defaultOwnerAssetUid: "1000", defaultOwnerAssetGid: "1000", onDelete: archive}
            """.formatted(storageClass, cluster.namespace(), root)).create();
        InstalledCommand one = start(cluster, storageClass, root);
        await().atMost(1, TimeUnit.MINUTES).until(() -> one.err().contains("Leading"));
        try (one;
                InstalledCommand two = start(cluster, storageClass, root)) {
            for (int i = 0; i < 40; i++) {
                claim(cluster, "mine-" + i, storageClass, "false");
                if (i == 20) {
                    one.process().destroyForcibly();
                }
            }
            await().atMost(2, TimeUnit.MINUTES).until(() -> bound(cluster) == 40);
            assertThat(admin.leases()
                            .inNamespace("bucketwright")
                            .withName(DirectoryProvisionerCommand.defaultLeaseName("", List.of(root.toString())))
                            .get()
                            .getMetadata()
                            .getAnnotations())
                    .containsEntry(LeaseName.SERVES, storageClass);
            assertThat(one.process().isAlive()).isFalse();
            assertThat(names(root)).hasSize(41);
            assertThat(two.err()).doesNotContainIgnoringCase("forbidden").doesNotContain("ERROR");

            Path directory = root.resolve(cluster.namespace() + "-mine-7-vol");
            Files.writeString(directory.resolve("file"), "precious");
            admin.persistentVolumeClaims()
                    .inNamespace(cluster.namespace())
                    .withName("mine-7")
                    .delete();
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            !Files.exists(root.resolve(".bucketwright/" + cluster.namespace() + "-mine-7-vol.json")));
            String listed =
                    InstalledCommand.run(temporary, "directory", "archives", "--storage-asset-root", root.toString());
            assertThat(listed).contains(cluster.namespace() + "/mine-7").doesNotContain("mine-8");
            String archive = listed.substring(0, listed.indexOf(" "));
            assertThat(InstalledCommand.run(
                            temporary, "directory", "restore", "--storage-asset-root", root.toString(), archive))
                    .contains("Restored " + archive);
            assertThat(directory.resolve("file")).hasContent("precious");
            claim(cluster, "mine-7", storageClass, "true");
            await().atMost(1, TimeUnit.MINUTES).until(() -> bound(cluster) == 40);
            assertThat(directory.resolve("file")).hasContent("precious");
            assertThat(InstalledCommand.run(
                            temporary, "directory", "archives", "--storage-asset-root", root.toString()))
                    .contains("No archived directories");
            admin.persistentVolumeClaims().inNamespace(cluster.namespace()).delete();
            await().atMost(4, TimeUnit.MINUTES)
                    .until(() -> names(root).equals(List.of(".bucketwright"))
                            && names(root.resolve(".bucketwright"))
                                    .equals(List.of("archive", "reserve", "root.json", "trash"))
                            && names(root.resolve(".bucketwright/trash")).isEmpty());
            assertThat(names(root.resolve(".bucketwright/archive"))).hasSize(80);
        } finally {
            admin.storage().v1().storageClasses().withName(storageClass).delete();
        }
        InstalledCommand.assertReleased(
                cluster, DirectoryProvisionerCommand.defaultLeaseName("", List.of(root.toString())));
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
            // A temporary file of the killed process is removed an hour later.
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> !name.startsWith(".tmp-"))
                    .sorted()
                    .toList();
        }
    }

    private InstalledCommand start(TestCluster cluster, String storageClass, Path root) {
        return InstalledCommand.controller(
                cluster,
                temporary,
                "bucketwright-directories",
                "directory-provisioner",
                "--storage-class=" + storageClass,
                "--storage-asset-root=" + root,
                "--lease-namespace=bucketwright");
    }
}
