package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.engine.ControllerProcess;

import io.bucketwright.runtime.objects.Metadata;

import static io.bucketwright.volumes.podclaims.VolumeBench.await;
import static io.bucketwright.volumes.podclaims.VolumeBench.podClaimsUser;
import static io.bucketwright.volumes.podclaims.VolumeBench.releaserUser;
import static io.bucketwright.volumes.podclaims.VolumeBench.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.podclaims.VolumeBench;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that die at each of their writes; the next one finds all it needs in the cluster. */
@OnCluster
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
class CrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfAPodsClaimThePodHasOneClaimOfItsOwn(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = podClaimsUser(cluster);
        int deaths = CrashLoop.untilNothingFires(write -> {
            String pod = "web-" + write;
            try (VolumeBench bench = new VolumeBench(cluster, "-" + write)) {
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.provisioner(user, builder -> builder.http(mortality::wrap));
                String uid = bench.pod(pod, "cache-" + write, template("fast"))
                        .getMetadata()
                        .getUid();
                await("death at write " + write + " or all done")
                        .until(() ->
                                mortality.died() || bench.reasons("Pod", pod).contains("PVCProvisioned"));
                mortal.close();
                bench.provisioner(user);
                var claim = bench.awaitClaim("cache-" + write);
                bench.awaitPodsSettled();
                assertThat(claim.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
                assertThat(bench.reasons("Pod", pod))
                        .as("only success is reported")
                        .allMatch("PVCProvisioned"::equals)
                        .hasSizeLessThan(2);
                return mortality.died();
            }
        });
        assertThat(deaths).as("a claim and an event").isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfAnAssociationAndAReleaseTheVolumeIsAvailable(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = releaserUser(cluster);
        ApiUser provisioner = podClaimsUser(cluster);
        int deaths = CrashLoop.untilNothingFires(write -> {
            String pod = "web-" + write;
            try (VolumeBench bench = new VolumeBench(cluster, "-" + write)) {
                String storageClass = bench.storageClass("static", Map.of());
                String volume = bench.volume("v", storageClass);
                bench.provisioner(provisioner);
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.releaser(user, builder -> builder.http(mortality::wrap));
                bench.pod(pod, "cache-" + write, template(storageClass));
                await("death at write " + write + " or associated")
                        .until(() -> mortality.died()
                                || bench.reasons("PersistentVolume", volume).contains("Associated"));
                if (mortality.died()) {
                    mortal.close();
                    bench.releaser(user);
                }
                await("association")
                        .until(() ->
                                bench.id().equals(Metadata.label(bench.volume(volume), ReleaserNames.MANAGED_BY)));
                boolean early = mortality.died();
                bench.deletePod(pod);
                await("death at write " + write + " or released")
                        .until(() -> mortality.died()
                                || bench.reasons("PersistentVolume", volume).contains("Released"));
                if (mortality.died() && !early) {
                    mortal.close();
                    bench.releaser(user);
                }
                PersistentVolume free = bench.awaitPhase(volume, "Available");
                bench.awaitVolumesSettled();
                assertThat(free.getSpec().getClaimRef()).isNull();
                assertThat(free.getMetadata().getLabels()).isNullOrEmpty();
                assertThat(free.getMetadata().getAnnotations()).isNullOrEmpty();
                return mortality.died();
            }
        });
        assertThat(deaths).as("two changes and two events").isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfAScrubTheVolumeIsEmptiedOnceAndAvailable(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = ScrubIT.scrubUser(cluster);
        int deaths = CrashLoop.untilNothingFires(write -> {
            try (VolumeBench bench = new VolumeBench(cluster, "-" + write);
                    Kubelet kubelet = new Kubelet(bench)) {
                String storageClass = bench.storageClass("static", ScrubIT.scrubbed(bench));
                String volume = bench.volume("v", storageClass);
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.releaser(
                        user, builder -> builder.http(mortality::wrap).scrubNamespace(bench.namespace()));
                ScrubIT.bindAndRelease(bench, volume, "cache-" + write, storageClass);
                await("death at write " + write + " or released")
                        .until(() -> mortality.died()
                                || bench.reasons("PersistentVolume", volume).contains("Released"));
                mortal.close();
                bench.releaser(user, builder -> builder.scrubNamespace(bench.namespace()));
                await("volume to be free")
                        .until(() -> bench.volume(volume).getSpec().getClaimRef() == null
                                && "Available"
                                        .equals(bench.volume(volume).getStatus().getPhase()));
                bench.awaitVolumesSettled();
                assertThat(Optional.ofNullable(
                                        bench.volume(volume).getMetadata().getAnnotations())
                                .orElse(Map.of()))
                        .isEmpty();
                assertThat(ScrubIT.helpers(bench)).isZero();
                assertThat(kubelet.ran()).isEqualTo(1);
                return mortality.died();
            }
        });
        assertThat(deaths).as("seven changes and an event").isEqualTo(8);
    }

    /** Plays the kubelet: each scrub pod whose claim is bound has done its work a moment later. */
    private static final class Kubelet implements AutoCloseable {

        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicInteger ran = new AtomicInteger();
        private final Thread thread;

        Kubelet(VolumeBench bench) {
            thread = Thread.ofVirtual().start(() -> {
                while (!stopped.get()) {
                    ran.addAndGet(ScrubIT.finishPods(bench));
                    LockSupport.parkNanos(100_000_000);
                }
            });
        }

        int ran() {
            return ran.get();
        }

        @Override
        public void close() {
            stopped.set(true);
            await("the kubelet to end").until(() -> !thread.isAlive());
        }
    }
}
