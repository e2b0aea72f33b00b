package io.bucketwright.app.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.ClaimingPod;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The installed commands as 003 calls them, with the rights of deploy/volumes-rbac.yaml and no others. */
@OnCluster
@ResourceLock("pod claims of all namespaces")
class DeployedVolumesIT {

    @TempDir
    private Path temporary;

    @Test
    void aPodsClaimIsMadeAndItsVolumeReleasedByTheTwoCommands(TestCluster cluster) throws Exception {
        InstalledCommand.deploy(cluster, "volumes-rbac.yaml");
        try (InstalledCommand provisioner = start(
                        cluster,
                        "bucketwright-pod-claims",
                        "pvc-provisioner",
                        "-namespace",
                        cluster.namespace(),
                        "-v=4");
                InstalledCommand releaser =
                        start(cluster, "bucketwright-releaser", "pv-releaser", "-logtostderr", "-vmodule", "x=1")) {
            bindAndRelease(cluster, List.of(provisioner, releaser));
            assertThat(releaser.err()).contains("-vmodule").doesNotContain("Ignoring -logtostderr");
        }
        assertReleased(cluster);
    }

    @Test
    void theSameInOneProcessOfBothRoles(TestCluster cluster) throws Exception {
        InstalledCommand.deploy(cluster, "volumes-rbac.yaml");
        try (InstalledCommand both = InstalledCommand.controller(
                cluster,
                temporary,
                "bucketwright-volumes",
                "controller",
                "--only=pod-claims,releaser",
                "--controller-id=installed",
                "--namespace=" + cluster.namespace(),
                "--lease-namespace=bucketwright")) {
            bindAndRelease(cluster, List.of(both));
        }
        assertReleased(cluster);
    }

    @Test
    void aMissingPermissionIsReportedInOneSentence(TestCluster cluster) {
        InstalledCommand.deploy(cluster, "volumes-rbac.yaml");
        try (InstalledCommand both = InstalledCommand.controller(
                cluster,
                temporary,
                "bucketwright-pod-claims",
                "controller",
                "--only=pod-claims,releaser",
                "--controller-id=installed",
                "--namespace=" + cluster.namespace(),
                "--lease-namespace=bucketwright")) {
            Eventually.await("the sentence")
                    .until(() -> both.err()
                            .contains("watching persistentvolumes failed, retrying: persistentvolumes is forbidden"));
            assertThat(both.err()).contains("cannot list resource");
            assertThat(both.err().lines())
                    .as("log lines without a stack trace")
                    .allMatch(line -> line.endsWith("\"throwable\":null}"));
        }
    }

    private InstalledCommand start(TestCluster cluster, String account, String command, String... more) {
        return InstalledCommand.controller(
                cluster,
                temporary,
                account,
                Stream.concat(
                                Stream.of(
                                        command,
                                        "-controller-id",
                                        "installed",
                                        "-lease-lock-name",
                                        command,
                                        "-lease-lock-namespace",
                                        "bucketwright"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private static void bindAndRelease(TestCluster cluster, List<InstalledCommand> commands) throws Exception {
        KubernetesClient admin = cluster.admin();
        List<HasMetadata> made = new ArrayList<>();
        String name = cluster.namespace();
        try {
            for (String yaml : List.of(CLASS, VOLUME)) {
                made.add(admin.resource(yaml.replace("NAME", name)).create());
            }
            PodResource pod = cluster.createPod(ClaimingPod.yaml("web", name));
            Eventually.await("the volume to be associated")
                    .until(() -> !labels(admin, name).isEmpty());
            assertThat(labels(admin, name))
                    .isEqualTo(Map.of("reclaimable-pv-releaser.kubernetes.io/managed-by", "installed"));
            pod.withGracePeriod(0).delete();
            Eventually.await("the volume to be free").until(() -> {
                PersistentVolume volume =
                        admin.persistentVolumes().withName(name).require();
                return volume.getSpec().getClaimRef() == null
                        && "Available".equals(volume.getStatus().getPhase());
            });
            for (InstalledCommand command : commands) {
                assertThat(command.metrics().lines())
                        .anyMatch(line -> line.matches("bucketwright_leader\\{.*} 1\\.0"))
                        .anyMatch(line -> line.matches("bucketwright_api_requests_total\\{.*code=\"200\".*} [1-9].*"))
                        .noneMatch(line -> line.contains("code=\"403\""));
                assertThat(command.err()).doesNotContain("ERROR");
            }
        } finally {
            made.forEach(object -> admin.resource(object).delete());
        }
    }

    /** Other tests have leases in that namespace too. */
    private static void assertReleased(TestCluster cluster) {
        assertThat(cluster.admin().leases().inNamespace("bucketwright").list().getItems())
                .filteredOn(lease -> lease.getMetadata()
                        .getName()
                        .matches("pvc-provisioner|pv-releaser|bucketwright-(pod-claims|releaser)(-[0-9a-f]{8})?"))
                .hasSizeGreaterThanOrEqualTo(2)
                .extracting(lease -> lease.getSpec().getHolderIdentity())
                .allSatisfy(holder -> assertThat(holder).isNullOrEmpty());
    }

    private static Map<String, String> labels(KubernetesClient admin, String volume) {
        Map<String, String> labels = admin.persistentVolumes()
                .withName(volume)
                .require()
                .getMetadata()
                .getLabels();
        return labels == null ? Map.of() : labels;
    }

    private static final String CLASS = """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: NAME}
        provisioner: kubernetes.io/no-provisioner
        """;

    private static final String VOLUME = """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: NAME}
        spec:
          storageClassName: NAME
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          persistentVolumeReclaimPolicy: Retain
          hostPath: {path: /tmp/bucketwright-nothing}
        """;
}
