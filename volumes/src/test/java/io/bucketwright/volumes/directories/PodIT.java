package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods on a real kubelet write into their directories as who they are. */
@OnCluster(with = AddOn.NODE)
class PodIT {

    @TempDir
    private Path root;

    @Test
    void aPodWritesAsItsUserAndWhatItWroteIsArchivedWithItsVolume(TestCluster cluster) throws Exception {
        // A directory of JUnit's is closed to others; a root is not.
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String deleted = bench.storageClass("deleted", Map.of());
            String archived = bench.storageClass(
                    "archived",
                    Map.of("onDelete", "archive", "defaultOwnerAssetUid", "4242", "defaultOwnerAssetGid", "4242"));
            bench.provisioner(user);
            bench.claim("own", archived);
            bench.claim(
                    "group",
                    deleted,
                    it -> it.editMetadata()
                            .addToAnnotations("storage.asset/owner-uid", "7777")
                            .addToAnnotations("storage.asset/owner-gid", "5555")
                            .endMetadata());
            create(bench, "writer", 4242, 4242, "own");
            create(bench, "member", 1001, 5555, "group");
            awaitSucceeded(bench, "writer");
            awaitSucceeded(bench, "member");
            assertThat(pod(bench, "writer").getLog()).startsWith("by 4242");
            assertThat(bench.directory("own").resolve("writer")).hasContent("by 4242\n");
            assertThat(Files.getAttribute(bench.directory("own").resolve("writer"), "unix:uid"))
                    .isEqualTo(4242);
            assertThat(Files.getAttribute(bench.directory("group").resolve("member"), "unix:uid"))
                    .isEqualTo(1001);
            // As long as a pod has it, it stays.
            bench.delete("own");
            bench.awaitQuiet();
            assertThat(bench.directory("own").resolve("writer")).exists();
            pod(bench, "writer").withGracePeriod(0).delete();
            pod(bench, "member").withGracePeriod(0).delete();
            bench.delete("group");
            bench.awaitGone("own");
            bench.awaitGone("group");
            DirectoryBench.await("the markers to go")
                    .until(() -> bench.markers().isEmpty());
            assertThat(bench.directories()).isEmpty();
            assertThat(bench.root()
                            .resolve(".bucketwright/archive")
                            .resolve(bench.archive().getFirst())
                            .resolve("writer"))
                    .hasContent("by 4242\n");
        }
    }

    private static void create(DirectoryBench bench, String name, int user, int group, String claim) {
        String pod = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s}
            spec:
              automountServiceAccountToken: false
              enableServiceLinks: false
              restartPolicy: Never
              terminationGracePeriodSeconds: 0
              securityContext: {runAsUser: %2$s, runAsGroup: %2$s, fsGroup: %3$s}
              containers:
              - name: application
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, 'echo "by $(id -u)" > /data/%1$s && cat /data/%1$s && ls /data']
                volumeMounts: [{name: data, mountPath: /data}]
              volumes:
              - {name: data, persistentVolumeClaim: {claimName: %4$s}}
            """.formatted(name, user, group, claim);
        DirectoryBench.await("the namespace's service account").until(() -> {
            try {
                bench.admin().resource(pod).inNamespace(bench.namespace()).create();
                return true;
            } catch (KubernetesClientException noServiceAccountYet) {
                assertThat(noServiceAccountYet.getCode()).isEqualTo(403);
                return false;
            }
        });
    }

    private static void awaitSucceeded(DirectoryBench bench, String name) {
        DirectoryBench.await(name + " to have run")
                .atMost(Duration.ofMinutes(3))
                .until(() -> Optional.ofNullable(pod(bench, name).get())
                        .map(Pod::getStatus)
                        .filter(status -> "Succeeded".equals(status.getPhase()))
                        .isPresent());
    }

    private static PodResource pod(DirectoryBench bench, String name) {
        return bench.admin().pods().inNamespace(bench.namespace()).withName(name);
    }
}
