package io.bucketwright.volumes.releaser;

import static io.bucketwright.testing.CrashLoop.untilNothingFires;
import static io.bucketwright.testing.Eventually.await;
import static io.bucketwright.volumes.podclaims.VolumeFixture.podClaimsUser;
import static io.bucketwright.volumes.podclaims.VolumeFixture.releaserUser;
import static io.bucketwright.volumes.podclaims.VolumeFixture.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.podclaims.VolumeFixture;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crashes a process at each of its writes; a new process continues from the state of the cluster. */
@OnCluster
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
@Order(4)
class CrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAPodClaimThePodHasOneClaim(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = podClaimsUser(cluster);
        int crashes = crashAtEachWrite(cluster, moment, (bench, crash) -> {
            ControllerProcess crashing = bench.provisioner(user, builder -> ClientOptions.http(builder, crash::wrap));
            String uid =
                    bench.pod("web", "cache", template("fast")).getMetadata().getUid();
            awaitCrashOr(bench, crash, "Pod", "web", "PVCProvisioned");
            crashing.close();
            bench.provisioner(user);
            var claim = bench.awaitClaim("cache");
            bench.awaitPodsSettled();
            assertThat(claim.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
            assertThat(bench.reasons("Pod", "web"))
                    .as("only success is reported")
                    .allMatch("PVCProvisioned"::equals)
                    .hasSizeLessThan(2);
        });
        assertThat(crashes).as("a claim and an event").isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAnAssociationAndAReleaseTheVolumeIsAvailable(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = releaserUser(cluster);
        ApiUser provisioner = podClaimsUser(cluster);
        int crashes = crashAtEachWrite(cluster, moment, (bench, crash) -> {
            String storageClass = bench.storageClass("static", Map.of());
            String volume = bench.volume("v", storageClass);
            ControllerProcess podClaims = bench.provisioner(provisioner);
            ControllerProcess crashing = bench.releaser(user, builder -> ClientOptions.http(builder, crash::wrap));
            bench.pod("web", "cache", template(storageClass));
            awaitCrashOr(bench, crash, "PersistentVolume", volume, "Associated");
            boolean early = crash.died();
            if (early) {
                crashing.close();
                bench.releaser(user);
            }
            await("association")
                    .until(() -> bench.id().equals(Metadata.label(bench.volume(volume), ReleaserNames.MANAGED_BY)));
            // Its watches of pods and claims are not in order: it could create a claim for the deleted pod, which would
            // bind
            // the volume once more.
            podClaims.close();
            bench.deletePod("web");
            awaitCrashOr(bench, crash, "PersistentVolume", volume, "Released");
            if (!early) {
                crashing.close();
                bench.releaser(user);
            }
            PersistentVolume free = bench.awaitPhase(volume, "Available");
            bench.awaitVolumesSettled();
            assertThat(free.getSpec().getClaimRef()).isNull();
            assertThat(free.getMetadata().getLabels()).isNullOrEmpty();
            assertThat(free.getMetadata().getAnnotations()).isNullOrEmpty();
        });
        assertThat(crashes).as("two changes and two events").isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAScrubTheVolumeIsScrubbedOnceAndAvailable(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = ScrubIT.scrubUser(cluster);
        int crashes = crashAtEachWrite(cluster, moment, (bench, crash) -> {
            try (Kubelet kubelet = new Kubelet(bench)) {
                String storageClass = bench.storageClass("static", ScrubIT.scrubbed(bench));
                String volume = bench.volume("v", storageClass);
                ControllerProcess crashing = bench.releaser(
                        user,
                        builder -> ClientOptions.http(builder, crash::wrap).scrubNamespace(bench.namespace()));
                bench.bindAndRelease(volume, "cache", storageClass);
                awaitCrashOr(bench, crash, "PersistentVolume", volume, "Released");
                crashing.close();
                bench.releaser(user, builder -> builder.scrubNamespace(bench.namespace()));
                await("volume to be Available")
                        .until(() -> bench.volume(volume).getSpec().getClaimRef() == null
                                && "Available"
                                        .equals(bench.volume(volume).getStatus().getPhase()));
                bench.awaitVolumesSettled();
                assertThat(Metadata.annotations(bench.volume(volume))).isEmpty();
                assertThat(ScrubIT.helpers(bench)).isZero();
                assertThat(kubelet.ran()).isEqualTo(1);
            }
        });
        assertThat(crashes).as("seven changes and an event").isEqualTo(8);
    }

    /** Repeats the scenario with a crash at each write, until there are no more writes. Returns the number of crashes. */
    private static int crashAtEachWrite(
            TestCluster cluster, Moment moment, BiConsumer<VolumeFixture, CrashingClient> scenario)
            throws InterruptedException {
        String suffix = moment == Moment.BEFORE_EFFECT ? "-b" : "-a";
        return untilNothingFires(write -> {
            CrashingClient crash = CrashingClient.atWrite(write, moment);
            try (VolumeFixture bench = new VolumeFixture(cluster, suffix + write)) {
                scenario.accept(bench, crash);
                return crash.died();
            }
        });
    }

    private static void awaitCrashOr(
            VolumeFixture bench, CrashingClient crash, String kind, String name, String reason) {
        await("a crash or the event " + reason)
                .until(() -> crash.died() || bench.reasons(kind, name).contains(reason));
    }

    /** Simulates the kubelet: completes each scrub pod whose claim is bound. */
    private static final class Kubelet implements AutoCloseable {

        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicInteger ran = new AtomicInteger();
        private final Thread thread;

        Kubelet(VolumeFixture bench) {
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
