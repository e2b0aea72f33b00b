package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.CapturedLog;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One claim through the real cluster, and what it costs. */
class BindAndDeleteIT extends DirectoryTestBase {

    @Test
    void aClaimIsProvisionedAndDeletedWithinTheRequestBudget() throws Exception {
        String storageClass = bench.start(Map.of());
        RequestCounts before = cluster.requests(bench.user());
        PersistentVolume volume = bench.provision("photos", storageClass);
        bench.awaitEvent("photos", "ProvisioningSucceeded");

        assertThat(volume.getMetadata().getName()).isEqualTo(bench.volumeName("photos"));
        assertThat(volume.getMetadata().getFinalizers())
                .contains("external-provisioner.volume.kubernetes.io/finalizer");
        assertThat(volume.getSpec().getHostPath().getPath())
                .isEqualTo(bench.directory("photos").toString());
        assertThat(volume.getSpec().getHostPath().getType()).isEqualTo("Directory");
        assertThat(volume.getSpec().getPersistentVolumeReclaimPolicy()).isEqualTo("Delete");
        assertThat(volume.getSpec().getClaimRef().getUid())
                .isEqualTo(bench.get("photos").orElseThrow().getMetadata().getUid());
        Path directory = bench.directory("photos");
        assertThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(1000);
        assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(1000);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxrwx---");
        bench.assertInvariants();
        RequestCounts bound = cluster.requests(bench.user()).since(before);
        assertThat(bound.writes()).as("%s", bound).isEqualTo(1);
        assertThat(bound.reads()).as("%s", bound).isZero();
        assertThat(bound.events()).as("%s", bound).isEqualTo(1);

        Files.writeString(directory.resolve("picture"), "sunset");
        RequestCounts then = cluster.requests(bench.user());
        try (CapturedLog log = new CapturedLog()) {
            bench.delete("photos");
            bench.awaitDeleted("photos");
            bench.awaitEmpty();
            assertThat(log.text()).contains("Removed directory " + bench.volumeName("photos") + " of claim ");
        }
        RequestCounts deleted = cluster.requests(bench.user()).since(then);
        assertThat(deleted.writes()).as("%s", deleted).isEqualTo(2);
        assertThat(deleted.reads()).as("%s", deleted).isZero();
        assertThat(deleted.events()).as("%s", deleted).isZero();
    }
}
