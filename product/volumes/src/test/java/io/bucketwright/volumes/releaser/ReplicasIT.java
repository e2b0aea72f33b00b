package io.bucketwright.volumes.releaser;

import static io.bucketwright.runtime.testing.StartedProcesses.SHORT_LEASE;
import static io.bucketwright.volumes.podclaims.VolumeFixture.podClaimsUser;
import static io.bucketwright.volumes.podclaims.VolumeFixture.releaserUser;
import static io.bucketwright.volumes.podclaims.VolumeFixture.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.podclaims.VolumeFixture;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Two replicas of each controller, many pods, and a crash of both leaders. */
@OnCluster
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
class ReplicasIT {

    private static final int PODS = 30;

    @Test
    void afterACrashOfBothLeadersEveryPodHasItsClaimAndEveryVolumeIsAvailable(TestCluster cluster) {
        ApiUser claims = podClaimsUser(cluster);
        ApiUser volumes = releaserUser(cluster);
        CrashingClient first = CrashingClient.atWrite(PODS, Moment.AFTER_EFFECT);
        CrashingClient second = CrashingClient.atWrite(PODS, Moment.AFTER_EFFECT);
        try (VolumeFixture bench = new VolumeFixture(cluster)) {
            String where = bench.namespace();
            String storageClass = bench.storageClass("static", Map.of());
            IntStream.range(0, PODS).forEach(i -> bench.volume("v" + i, storageClass));
            bench.provisioner(
                    claims, volume -> ClientOptions.http(volume, first::wrap).lease(where, "claims", SHORT_LEASE));
            bench.releaser(
                    volumes, volume -> ClientOptions.http(volume, second::wrap).lease(where, "volumes", SHORT_LEASE));
            bench.provisioner(claims, volume -> volume.lease(where, "claims", SHORT_LEASE));
            bench.releaser(volumes, volume -> volume.lease(where, "volumes", SHORT_LEASE));
            IntStream.range(0, PODS).forEach(i -> bench.pod("web-" + i, "cache-" + i, template(storageClass)));
            assertThat(IntStream.range(0, PODS)
                            .mapToObj(i -> bench.awaitBound("cache-" + i))
                            .map(PersistentVolumeClaim::getSpec)
                            .map(spec -> Objects.requireNonNull(spec.getVolumeName()))
                            .distinct())
                    .hasSize(PODS);
            assertThat(first.died()).isTrue();
            // Only a volume that was associated while its claim existed is certain to be released.
            IntStream.range(0, PODS)
                    .forEach(i -> Eventually.await("association of v" + i)
                            .until(() -> bench.id()
                                    .equals(Metadata.label(
                                            bench.volume(bench.id() + "-v" + i), ReleaserNames.MANAGED_BY))));
            IntStream.range(0, PODS).forEach(i -> bench.deletePod("web-" + i));
            IntStream.range(0, PODS).forEach(i -> bench.awaitPhase(bench.id() + "-v" + i, "Available"));
            assertThat(second.died()).isTrue();
            bench.awaitVolumesSettled();
            IntStream.range(0, PODS).forEach(i -> {
                assertThat(bench.volume(bench.id() + "-v" + i).getSpec().getClaimRef())
                        .isNull();
                assertThat(bench.volume(bench.id() + "-v" + i).getMetadata().getLabels())
                        .isNullOrEmpty();
            });
        }
    }
}
