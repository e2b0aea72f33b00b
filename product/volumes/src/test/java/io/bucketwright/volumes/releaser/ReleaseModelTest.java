package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.Fault;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * The real releaser in memory, with random sequences of events on a volume that must be scrubbed: lagging caches, lost requests
 * and responses, crashes, and users who delete its objects. The volume is never available while it has data. In the end it is
 * available and has no annotations or scrub objects.
 */
class ReleaseModelTest {

    enum Event {
        CACHES_CATCH_UP,
        RELEASER_RUNS,
        NEXT_REQUEST_IS_LOST,
        NEXT_RESPONSE_IS_LOST,
        RELEASER_CRASHES,
        ANOTHER_LEADER_WAS_ACTIVE,
        TIME_PASSES,
        BINDER_RUNS,
        POD_SUCCEEDS,
        POD_FAILS,
        USER_DELETES_POD,
        USER_DELETES_CLAIM
    }

    /** The releaser created the claim, did not know it, and created it again after a user deleted it. */
    @Example
    void aVolumeThatIsReservedForADeletedScrubClaimIsReservedForTheNext() {
        aVolumeIsNeverAvailableWithItsDataAndAlwaysReleased(List.of(
                Event.NEXT_RESPONSE_IS_LOST,
                Event.RELEASER_RUNS,
                Event.CACHES_CATCH_UP,
                Event.NEXT_RESPONSE_IS_LOST,
                Event.RELEASER_RUNS,
                Event.ANOTHER_LEADER_WAS_ACTIVE,
                Event.BINDER_RUNS,
                Event.USER_DELETES_CLAIM,
                Event.RELEASER_RUNS));
    }

    @Property(tries = 500)
    void aVolumeIsNeverAvailableWithItsDataAndAlwaysReleased(@ForAll @Size(max = 60) List<Event> events) {
        try (World world = new World()) {
            events.forEach(world::apply);
            for (int i = 0; i < 200 && !world.isReleased(); i++) {
                world.settle();
            }
            assertThat(world.isReleased()).as("%s", world.volume()).isTrue();
            assertThat(world.claim()).isEmpty();
            assertThat(world.pod()).isEmpty();
            assertThat(Metadata.annotations(world.volume())).isEmpty();
        }
    }

    /** The cluster, with the binder and the kubelet, and one process of the releaser. */
    private static final class World implements AutoCloseable {

        private static final String NAMESPACE = "scrubs";
        private static final ReleaserSettings SETTINGS = new ReleaserSettings(new ControllerId("me"), true, NAMESPACE);

        private final InMemoryApiServer server = new InMemoryApiServer();
        private final ManualTime time = new ManualTime();
        private final ManualLeadership leadership = new ManualLeadership();
        private final String scrubName;
        private InMemoryProcess process;
        private Fault nextFault = Fault.NONE;
        private boolean hasData = true;

        World() {
            server.create(Serialization.unmarshal("""
                    metadata:
                      name: class
                      annotations:
                        reclaimable-pv-releaser.kubernetes.io/controller-id: me
                        reclaimable-pv-releaser.kubernetes.io/mode: scrub
                        reclaimable-pv-releaser.kubernetes.io/scrub-image: busybox
                    """, StorageClass.class));
            PersistentVolume volume = server.create(Serialization.unmarshal("""
                    metadata: {name: pv}
                    spec:
                      storageClassName: class
                      persistentVolumeReclaimPolicy: Retain
                      claimRef: {namespace: ns, name: private, uid: first, resourceVersion: "7"}
                    status: {phase: Released}
                    """, PersistentVolume.class));
            scrubName = ScrubObjects.name(volume);
            process = open();
        }

        void apply(Event event) {
            switch (event) {
                case CACHES_CATCH_UP -> process.deliverNext();
                case RELEASER_RUNS -> process.runNext();
                case NEXT_REQUEST_IS_LOST -> nextFault = Fault.REQUEST_LOST;
                case NEXT_RESPONSE_IS_LOST -> nextFault = Fault.RESPONSE_LOST;
                case RELEASER_CRASHES -> {
                    process.close();
                    process = open();
                }
                case ANOTHER_LEADER_WAS_ACTIVE -> {
                    leadership.lose();
                    leadership.gainAfterAnotherLeader();
                }
                case TIME_PASSES -> time.advanceToNextTimer();
                case BINDER_RUNS -> bind();
                case POD_SUCCEEDS -> finishPod("Succeeded");
                case POD_FAILS -> finishPod("Failed");
                case USER_DELETES_POD -> server.delete(Pod.class, NAMESPACE, scrubName);
                case USER_DELETES_CLAIM -> server.delete(PersistentVolumeClaim.class, NAMESPACE, scrubName);
            }
            assertThat(hasData && volume().getSpec().getClaimRef() == null)
                    .as("available with its data after %s", event)
                    .isFalse();
        }

        /** Everybody works, without faults. */
        void settle() {
            nextFault = Fault.NONE;
            process.settle();
            apply(Event.BINDER_RUNS);
            apply(Event.POD_SUCCEEDS);
            apply(Event.TIME_PASSES);
        }

        boolean isReleased() {
            return volume().getSpec().getClaimRef() == null
                    && PersistentVolumes.phase(volume()).equals("Available");
        }

        PersistentVolume volume() {
            return server.get(PersistentVolume.class, "", "pv").orElseThrow();
        }

        Optional<PersistentVolumeClaim> claim() {
            return server.get(PersistentVolumeClaim.class, NAMESPACE, scrubName);
        }

        Optional<Pod> pod() {
            return server.get(Pod.class, NAMESPACE, scrubName);
        }

        @Override
        public void close() {
            process.close();
        }

        private InMemoryProcess open() {
            InMemoryProcess opened = new InMemoryProcess(server, time, leadership);
            opened.faults(() -> {
                Fault fault = nextFault;
                nextFault = Fault.NONE;
                return fault;
            });
            ReleaseController.register(opened.context(), SETTINGS, 1);
            return opened.start();
        }

        private void bind() {
            server.edit(PersistentVolume.class, "", "pv", volume -> {
                @Nullable ObjectReference reference = volume.getSpec().getClaimRef();
                Optional<String> uid = claim().map(claim -> claim.getMetadata().getUid());
                if (reference != null && reference.getUid() == null) {
                    uid.ifPresent(reference::setUid);
                }
                boolean available = reference == null || reference.getUid() == null;
                boolean bound = !available
                        && uid.filter(PersistentVolumes.claimUid(volume)::equals)
                                .isPresent();
                volume.getStatus().setPhase(available ? "Available" : bound ? "Bound" : "Released");
            });
        }

        /** The pod runs only while its claim is bound to the volume. */
        private void finishPod(String phase) {
            boolean runs = PersistentVolumes.phase(volume()).equals("Bound")
                    && claim().filter(claim -> PersistentVolumes.claimUid(volume())
                                    .equals(claim.getMetadata().getUid()))
                            .isPresent();
            if (runs && pod().filter(pod -> pod.getStatus() == null).isPresent()) {
                server.edit(
                        Pod.class,
                        NAMESPACE,
                        scrubName,
                        pod -> pod.setStatus(
                                new PodStatusBuilder().withPhase(phase).build()));
                hasData = hasData && !phase.equals("Succeeded");
            }
        }
    }
}
