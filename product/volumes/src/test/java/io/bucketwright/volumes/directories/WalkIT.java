package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.volumes.podclaims.VolumeFixture;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** All three volume controllers on a real kubelet: a pod finds the files that an earlier pod wrote. */
@OnCluster(with = AddOn.NODE)
class WalkIT extends DirectoryTestBase {

    private static final int USER = 4242;

    @Test
    void theDirectoryOfAPodIsReleasedAndReusedByTheNextPod() throws Exception {
        // JUnit's temporary directory is not accessible to other users; a root is.
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (VolumeFixture volumes = new VolumeFixture(cluster)) {
            volumes.provisioner(VolumeFixture.podClaimsUser(cluster));
            volumes.releaser(VolumeFixture.releaserUser(cluster));
            bench.provisioner(DirectoryFixture.account(cluster, "directories"));
            String storageClass = bench.storageClass("cache", Map.of(), builder -> builder.withReclaimPolicy("Retain"));

            DirectoryPods pods = new DirectoryPods(cluster);
            create(pods, "first", storageClass, "id -u > /data/result && cat /data/result");
            assertThat(pods.awaitSucceeded("first")).isEqualTo(Integer.toString(USER));
            String volume = bench.awaitBound("first").getMetadata().getName();
            assertThat(Files.getAttribute(root.resolve(volume).resolve("result"), "unix:uid"))
                    .isEqualTo(USER);
            pods.delete("first");
            await("the claim to be deleted with its pod")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> bench.get("first").isEmpty());
            bench.awaitPhase("first", "Available");

            create(pods, "second", storageClass, "cat /data/result");
            assertThat(pods.awaitSucceeded("second")).isEqualTo(Integer.toString(USER));
            assertThat(bench.awaitBound("second").getMetadata().getName()).isEqualTo(volume);
            pods.delete("second");
        }
    }

    private static void create(DirectoryPods pods, String name, String storageClass, String command) {
        String annotations = """

                dynamic-pvc-provisioner.kubernetes.io/data.enabled: "true"
                dynamic-pvc-provisioner.kubernetes.io/data.pvc: |
                  apiVersion: v1
                  kind: PersistentVolumeClaim
                  metadata:
                    annotations: {storage.asset/owner-uid: "%1$s", storage.asset/owner-gid: "%1$s"}
                  spec:
                    storageClassName: %2$s
                    resources: {requests: {storage: 1Mi}}
                    accessModes: [ReadWriteOnce]
            """.formatted(USER, storageClass);
        pods.create(name, annotations, "{runAsUser: %1$s, runAsGroup: %1$s}".formatted(USER), name, command);
    }
}
