package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.volumes.podclaims.Printable;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a volume that is emptied before it is released. It is kept for a claim of our own namespace, a pod mounts
 * it through that claim and removes what is there, pod and claim go, and then the volume is released. Which step comes next
 * is seen from the volume, the claim and the pod alone, so a new process carries on where the last one stopped.
 */
final class Scrubbing {

    private static final Set<String> STARTING = Set.of("ContainerCreating", "PodInitializing");

    private final Settings settings;

    Scrubbing(Settings settings) {
        this.settings = settings;
    }

    Decision<Step> begin(Observed observed, PersistentVolume volume) {
        if (Volumes.isBlock(volume)) {
            return ReleaseDecision.trouble(
                    observed, volume, "A volume of mode Block has no files to remove; empty it and release it by hand");
        }
        if (settings.scrubNamespace().isEmpty()) {
            return ReleaseDecision.trouble(
                    observed,
                    volume,
                    "The volume must be emptied, but this releaser does not know where; start it with"
                            + " --scrub-namespace");
        }
        if (image(observed, volume).isEmpty()) {
            return ReleaseDecision.trouble(
                    observed,
                    volume,
                    "The volume must be emptied, but its class does not say with which image; annotate the class with "
                            + Marks.SCRUB_IMAGE);
        }
        return Decision.act(new Step.Reserve(volume));
    }

    Decision<Step> decide(Observed observed, PersistentVolume volume) {
        Optional<ScrubMark> mark = ScrubMark.read(Marks.annotation(volume, Marks.SCRUB));
        if (mark.isEmpty()) {
            return ReleaseDecision.trouble(
                    observed,
                    volume,
                    "The annotation " + Marks.SCRUB + " was not written by this version of the releaser; update it");
        }
        if (!mark.get().id().equals(settings.id().value())
                || settings.scrubNamespace().isEmpty()) {
            return Decision.done();
        }
        if (Stream.of(observed.scrubClaim(), observed.scrubPod()).anyMatch(helper -> isForeign(helper, volume))) {
            return ReleaseDecision.trouble(
                    observed,
                    volume,
                    "Something else has the name " + ScrubObjects.name(volume) + " in namespace "
                            + settings.scrubNamespace() + ", so the volume cannot be emptied; remove it");
        }
        return Marks.annotation(volume, Marks.SCRUBBED).isEmpty() ? empty(observed, volume) : finish(observed, volume);
    }

    /** Helpers of a volume that is gone, or goes. */
    static Optional<Step> leftovers(Observed observed) {
        return Stream.of(observed.scrubPod(), observed.scrubClaim())
                .flatMap(Stream::ofNullable)
                .filter(helper -> helper.getMetadata().getDeletionTimestamp() == null)
                .filter(helper -> Marks.annotation(helper, Marks.SCRUB_VOLUME_UID)
                        .equals(observed.key().uid()))
                .map(helper -> (Step) new Step.Delete(helper))
                .findFirst();
    }

    /** The volume's own word, else its class'. */
    static Optional<String> said(Observed observed, PersistentVolume volume, String annotation) {
        @Nullable StorageClass storageClass = observed.storageClass();
        return Stream.of(
                        Marks.annotation(volume, annotation),
                        storageClass == null ? "" : Marks.annotation(storageClass, annotation))
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    private Decision<Step> empty(Observed observed, PersistentVolume volume) {
        @Nullable PersistentVolumeClaim claim = observed.scrubClaim();
        @Nullable Pod pod = observed.scrubPod();
        if (claim == null) {
            return pod != null ? remove(pod) : claim(volume);
        }
        if (isGoing(claim)) {
            return Decision.done();
        }
        if (pod == null) {
            Optional<String> image = image(observed, volume);
            return image.isPresent()
                    ? Decision.act(new Step.CreatePod(ScrubObjects.pod(volume, image.get(), settings)))
                    : ReleaseDecision.trouble(
                            observed,
                            volume,
                            "The volume is being emptied, but its class does not say any more with which image;"
                                    + " annotate it with " + Marks.SCRUB_IMAGE);
        }
        if (isGoing(pod)) {
            return Decision.done();
        }
        return switch (phase(pod)) {
            case "Succeeded" -> Decision.act(new Step.MarkScrubbed(volume));
            case "Failed" -> replace(observed, volume, pod);
            default ->
                hindrance(pod)
                        .map(reason -> ReleaseDecision.trouble(
                                observed,
                                volume,
                                "Pod " + settings.scrubNamespace() + "/"
                                        + pod.getMetadata().getName()
                                        + " cannot empty the volume yet (" + Printable.of(reason)
                                        + "); its log and its events say why"))
                        .orElseGet(Decision::done);
        };
    }

    /** Why a pod that kubelet keeps trying does not get on; empty while all is well. */
    private static Optional<String> hindrance(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getContainerStatuses).stream()
                .flatMap(Collection::stream)
                .flatMap(container -> Stream.ofNullable(container.getState()))
                .flatMap(state -> Stream.ofNullable(state.getWaiting()))
                .flatMap(waiting -> Stream.ofNullable(waiting.getReason()))
                .filter(reason -> !STARTING.contains(reason))
                .findFirst();
    }

    /** Somebody may have deleted our claim before: then the volume remembers that one, and must be kept for a new one. */
    private Decision<Step> claim(PersistentVolume volume) {
        if (Volumes.claimUid(volume).isEmpty()) {
            return Decision.act(new Step.CreateClaim(ScrubObjects.claim(volume, settings)));
        }
        return Volumes.phase(volume).equals(Volumes.RELEASED)
                ? Decision.act(new Step.Reserve(volume))
                : Decision.done();
    }

    private Decision<Step> replace(Observed observed, PersistentVolume volume, Pod pod) {
        String why =
                "Pod " + settings.scrubNamespace() + "/" + pod.getMetadata().getName()
                        + " could not empty the volume"
                        + Optional.ofNullable(pod.getStatus())
                                .map(PodStatus::getReason)
                                .map(reason -> " (" + Printable.of(reason) + ")")
                                .orElse("")
                        + "; another one will try";
        Trouble trouble = Trouble.releasing(why);
        return trouble.equals(observed.told())
                ? Decision.act(new Step.Replace(pod, why))
                : Decision.act(new Step.Tell(volume, trouble));
    }

    private static Decision<Step> finish(Observed observed, PersistentVolume volume) {
        @Nullable Pod pod = observed.scrubPod();
        @Nullable PersistentVolumeClaim claim = observed.scrubClaim();
        if (pod != null) {
            return remove(pod);
        }
        if (claim != null) {
            return remove(claim);
        }
        // While the binder still calls it Bound it has not seen the claim's end, and would undo ours.
        return Volumes.phase(volume).equals(Volumes.BOUND)
                ? Decision.done()
                : Decision.act(new Step.Release(volume, Mode.SCRUB));
    }

    private static Decision<Step> remove(HasMetadata helper) {
        return isGoing(helper) ? Decision.done() : Decision.act(new Step.Delete(helper));
    }

    private static boolean isGoing(HasMetadata helper) {
        return helper.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isForeign(@Nullable HasMetadata helper, PersistentVolume volume) {
        return helper != null
                && !Marks.annotation(helper, Marks.SCRUB_VOLUME_UID)
                        .equals(volume.getMetadata().getUid());
    }

    private static String phase(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getPhase).orElse("");
    }

    private static Optional<String> image(Observed observed, PersistentVolume volume) {
        return said(observed, volume, Marks.SCRUB_IMAGE);
    }
}
