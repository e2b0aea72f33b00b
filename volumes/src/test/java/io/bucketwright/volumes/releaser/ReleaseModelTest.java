package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Problem;

import io.bucketwright.runtime.objects.Metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * Random sequences of events on a volume that must be scrubbed. The volume is never available while it has data. In the end it
 * is available and has no annotations or scrub objects.
 */
class ReleaseModelTest {

    enum Event {
        WE_WORK,
        BINDER_WORKS,
        POD_SUCCEEDS,
        POD_FAILS,
        SOMEBODY_DELETES_THE_POD,
        SOMEBODY_DELETES_THE_CLAIM
    }

    @Property(tries = 500)
    void aVolumeIsNeverAvailableWithItsDataAndAlwaysReleased(@ForAll @Size(max = 60) List<Event> events) {
        World world = new World();
        events.forEach(world::happens);
        for (int i = 0; i < 200 && !world.isOver(); i++) {
            world.happens(Event.WE_WORK);
            world.happens(Event.BINDER_WORKS);
            world.happens(Event.POD_SUCCEEDS);
        }
        assertThat(world.isOver()).as("%s", world.volume).isTrue();
        assertThat(world.claim).isNull();
        assertThat(world.pod).isNull();
        assertThat(Metadata.annotations(world.volume)).isEmpty();
    }

    /** Simulates the cluster. */
    private static final class World {

        private static final ObjectMapper JSON = new ObjectMapper();

        private final ReleaserSettings settings = new ReleaserSettings(new ControllerId("me"), true, "scrubs", 1);
        private final ReleaseDecision decision = new ReleaseDecision(settings);
        private final StorageClass storageClass = new StorageClassBuilder()
                .withNewMetadata()
                .withName("class")
                .addToAnnotations(ReleaserNames.CONTROLLER_ID, "me")
                .addToAnnotations(ReleaserNames.MODE, "scrub")
                .addToAnnotations(ReleaserNames.SCRUB_IMAGE, "busybox")
                .endMetadata()
                .build();
        private PersistentVolume volume = new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pv")
                .withUid("pv-uid")
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("class")
                .withPersistentVolumeReclaimPolicy("Retain")
                .withClaimRef(new ObjectReference("v1", null, "PersistentVolumeClaim", "private", "ns", "7", "first"))
                .endSpec()
                .withNewStatus()
                .withPhase("Released")
                .endStatus()
                .build();
        private @Nullable PersistentVolumeClaim claim;
        private @Nullable Pod pod;
        private @Nullable Problem reported;
        private boolean hasData = true;
        private int lives;

        void happens(Event event) {
            switch (event) {
                case WE_WORK -> work();
                case BINDER_WORKS -> bind();
                case POD_SUCCEEDS -> end("Succeeded");
                case POD_FAILS -> end("Failed");
                case SOMEBODY_DELETES_THE_POD -> pod = null;
                case SOMEBODY_DELETES_THE_CLAIM -> claim = null;
            }
            boolean free = volume.getSpec().getClaimRef() == null;
            assertThat(free && hasData).as("free with data after %s", event).isFalse();
        }

        boolean isOver() {
            return volume.getSpec().getClaimRef() == null && "Available".equals(PersistentVolumes.phase(volume));
        }

        private void work() {
            ReleaseObservation observed =
                    new ReleaseObservation(ObjectKey.of(volume), volume, storageClass, false, claim, pod, reported);
            if (!(decision.decide(observed) instanceof Decision.Act<ReleaseStep>(ReleaseStep step))) {
                return;
            }
            switch (step) {
                case ReleaseStep.Report report -> reported = report.problem();
                case ReleaseStep.Reserve _ ->
                    patch(ReleasePatches.reserve(volume, settings).operations());
                case ReleaseStep.CreateClaim create -> claim = named(create.claim());
                case ReleaseStep.CreatePod create -> pod = named(create.pod());
                case ReleaseStep.MarkScrubbed _ ->
                    patch(ReleasePatches.markScrubbed(volume).operations());
                case ReleaseStep.Delete delete -> remove(delete.helper());
                case ReleaseStep.Replace _ -> pod = null;
                case ReleaseStep.Release _ ->
                    patch(ReleasePatches.release(volume).operations());
                case ReleaseStep.Associate _, ReleaseStep.Disassociate _ ->
                    throw new AssertionError("not of a scrub: " + step);
            }
        }

        private void bind() {
            @Nullable ObjectReference reference = volume.getSpec().getClaimRef();
            if (reference == null) {
                phase("Available");
            } else if (claim == null) {
                phase(reference.getUid() == null ? "Available" : "Released");
            } else if (reference.getUid() == null) {
                reference.setUid(claim.getMetadata().getUid());
                phase("Bound");
            } else {
                phase(reference.getUid().equals(claim.getMetadata().getUid()) ? "Bound" : "Released");
            }
        }

        private void end(String phase) {
            boolean runs = pod != null
                    && claim != null
                    && PersistentVolumes.claimUid(volume)
                            .equals(claim.getMetadata().getUid())
                    && PersistentVolumes.phase(volume).equals("Bound");
            if (runs && pod != null && pod.getStatus() == null) {
                pod.setStatus(new PodStatusBuilder().withPhase(phase).build());
                hasData = hasData && !phase.equals("Succeeded");
            }
        }

        private void remove(HasMetadata helper) {
            if (helper instanceof Pod) {
                pod = null;
            } else {
                claim = null;
            }
        }

        private <T extends HasMetadata> T named(T object) {
            T copy = Serialization.clone(object);
            copy.getMetadata().setUid("life-" + lives++);
            return copy;
        }

        private void phase(String phase) {
            volume.getStatus().setPhase(phase);
        }

        /** Applies the operations of RFC 6902 that the releaser uses. */
        private void patch(List<Map<String, Object>> operations) {
            ObjectNode tree = JSON.valueToTree(volume);
            for (Map<String, Object> operation : operations) {
                String path = String.valueOf(operation.get("path"));
                int last = path.lastIndexOf('/');
                String field = path.substring(last + 1).replace("~1", "/").replace("~0", "~");
                JsonNode parent = tree.at(path.substring(0, last));
                JsonNode value = JSON.valueToTree(operation.get("value"));
                switch (String.valueOf(operation.get("op"))) {
                    case "test" -> assertThat(tree.at(path)).isEqualTo(value);
                    case "remove" ->
                        assertThat(((ObjectNode) parent).remove(field)).isNotNull();
                    default -> ((ObjectNode) parent).set(field, value);
                }
            }
            volume = JSON.convertValue(tree, PersistentVolume.class);
        }
    }
}
