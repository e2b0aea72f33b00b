package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that one claim leaves to the next: the releaser takes the claim off a volume, and its directory stays. */
@OnCluster
class ReuseIT {

    @TempDir
    private Path root;

    @Test
    void theEmptyDirectoryOfAVolumeThatWasReleasedForEverybodyStaysAndTheNextClaimGetsIt(TestCluster cluster)
            throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        String id = cluster.namespace();
        try (DirectoryBench bench = new DirectoryBench(cluster, root);
                VolumeReleaser releaser = VolumeReleaser.builder()
                        .client(cluster.admin().getConfiguration())
                        .controllerId(id)
                        .build()
                        .start()) {
            releaser.awaitWorking();
            String storageClass = bench.storageClass(
                    "reuse",
                    Map.of(),
                    builder -> builder.withReclaimPolicy("Retain")
                            .editMetadata()
                            .addToAnnotations("reclaimable-pv-releaser.kubernetes.io/controller-id", id)
                            .endMetadata());
            bench.provisioner(user);
            bench.claim("first", storageClass);
            String volume = bench.awaitBound("first").getMetadata().getName();
            bench.delete("first");
            DirectoryBench.await("the volume to be Available")
                    .until(() -> bench.volume(volume)
                            .filter(it -> "Available".equals(it.getStatus().getPhase()))
                            .isPresent());
            bench.awaitQuiet();
            assertThat(root.resolve(volume)).isDirectory();
            assertThat(bench.markers()).containsExactly(volume);
            bench.claim("second", storageClass);
            assertThat(bench.awaitBound("second").getMetadata().getName()).isEqualTo(volume);
            assertThat(bench.directories()).containsExactly(volume);
        }
    }
}
