package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.podclaims.PodClaimProvisioner;
import io.bucketwright.volumes.podclaims.VolumeBench;
import io.bucketwright.volumes.releaser.VolumeReleaser;
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

/** All three volume controllers at once, on a real kubelet: what one pod leaves, the next one finds. */
@OnCluster(with = AddOn.NODE)
class WalkIT {

    private static final int USER = 4242;

    @TempDir
    private Path root;

    @Test
    void aPodsOwnDirectoryIsMadeReleasedAndFoundAgainByTheNextPod(TestCluster cluster) throws Exception {
        // A directory of JUnit's is closed to others; a root is not.
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        String id = cluster.namespace();
        try (DirectoryBench bench = new DirectoryBench(cluster, root);
                PodClaimProvisioner claims = PodClaimProvisioner.builder()
                        .client(VolumeBench.podClaimsUser(cluster).config())
                        .controllerId(id)
                        .namespace(bench.namespace())
                        .build()
                        .start();
                VolumeReleaser releaser = VolumeReleaser.builder()
                        .client(VolumeBench.releaserUser(cluster).config())
                        .controllerId(id)
                        .build()
                        .start()) {
            claims.awaitWorking();
            releaser.awaitWorking();
            bench.provisioner(DirectoryBench.account(cluster, "directories"));
            String storageClass = bench.storageClass("cache", Map.of(), it -> it.withReclaimPolicy("Retain"));

            run(bench, "first", storageClass, "id -u > /data/result && cat /data/result");
            assertThat(pod(bench, "first").getLog().strip()).isEqualTo(Integer.toString(USER));
            String volume = bench.awaitBound("first").getMetadata().getName();
            assertThat(Files.getAttribute(root.resolve(volume).resolve("result"), "unix:uid"))
                    .isEqualTo(USER);
            pod(bench, "first").withGracePeriod(0).delete();
            DirectoryBench.await("the claim to go with its pod, and the volume to be Available")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> bench.get("first").isEmpty()
                            && bench.volume(volume)
                                    .filter(it ->
                                            "Available".equals(it.getStatus().getPhase()))
                                    .isPresent());

            run(bench, "second", storageClass, "cat /data/result");
            assertThat(pod(bench, "second").getLog().strip()).isEqualTo(Integer.toString(USER));
            assertThat(bench.awaitBound("second").getMetadata().getName()).isEqualTo(volume);
            pod(bench, "second").withGracePeriod(0).delete();
        }
    }

    private static void run(DirectoryBench bench, String name, String storageClass, String command) {
        String yaml = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s
              annotations:
                dynamic-pvc-provisioner.kubernetes.io/data.enabled: "true"
                dynamic-pvc-provisioner.kubernetes.io/data.pvc: |
                  apiVersion: v1
                  kind: PersistentVolumeClaim
                  metadata:
                    annotations: {storage.asset/owner-uid: "%2$s", storage.asset/owner-gid: "%2$s"}
                  spec:
                    storageClassName: %3$s
                    resources: {requests: {storage: 1Mi}}
                    accessModes: [ReadWriteOnce]
            spec:
              automountServiceAccountToken: false
              enableServiceLinks: false
              restartPolicy: Never
              terminationGracePeriodSeconds: 0
              securityContext: {runAsUser: %2$s, runAsGroup: %2$s}
              containers:
              - name: application
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, '%4$s']
                volumeMounts: [{name: data, mountPath: /data}]
              volumes:
              - {name: data, persistentVolumeClaim: {claimName: %1$s}}
            """.formatted(name, USER, storageClass, command);
        DirectoryBench.await("the namespace's service account").until(() -> {
            try {
                bench.admin().resource(yaml).inNamespace(bench.namespace()).create();
                return true;
            } catch (KubernetesClientException noServiceAccountYet) {
                assertThat(noServiceAccountYet.getCode()).isEqualTo(403);
                return false;
            }
        });
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
