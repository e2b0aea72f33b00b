package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides how to scrub a volume before its release. The volume is reserved for a claim in the scrub namespace. A pod mounts it
 * through that claim and deletes its data. Then the pod and the claim are deleted and the volume is released. The next step
 * depends only on the volume, the claim and the pod, so that a new process continues where the last one stopped.
 */
record ScrubDecision(ReleaserSettings settings, ReleaseObservation observed, PersistentVolume volume) {

    /** How long a pod may be unschedulable before it is reported; its claim must be bound first. */
    private static final Duration SCHEDULING = Duration.ofMinutes(1);

    private static final Set<String> STARTING = Set.of("ContainerCreating", "PodInitializing");

    Decision<Step> start() {
        if (PersistentVolumes.isBlock(volume)) {
            return problem("A volume of mode Block cannot be scrubbed; delete its data and release it manually");
        }
        if (settings.scrubNamespace().isEmpty()) {
            return problem(
                    "The volume must be scrubbed, but this releaser has no namespace for scrub pods; start it with"
                            + " --scrub-namespace");
        }
        if (observed.annotation(ReleaserNames.SCRUB_IMAGE).isEmpty()) {
            return problem("The volume must be scrubbed, but its class names no image; annotate the class with "
                    + ReleaserNames.SCRUB_IMAGE);
        }
        try {
            options();
        } catch (IllegalArgumentException e) {
            return problem("The volume must be scrubbed, but the annotation " + ReleaserNames.SCRUB_POD
                    + " of the volume or its class is invalid: " + e.getMessage());
        }
        return reserve();
    }

    Decision<Step> decide() {
        Optional<RecordedClaim> intent = RecordedClaim.parse(Metadata.annotation(volume, ReleaserNames.SCRUB));
        if (intent.isEmpty()) {
            return problem("The annotation " + ReleaserNames.SCRUB + " has an unknown version; update this releaser");
        }
        if (!intent.get().id().equals(settings.id().value())
                || settings.scrubNamespace().isEmpty()) {
            return Decision.done();
        }
        if (Stream.of(observed.scrubClaim(), observed.scrubPod()).anyMatch(this::isForeign)) {
            return problem("An object that this releaser did not create has the name " + ScrubObjects.name(volume)
                    + " in namespace " + settings.scrubNamespace()
                    + ", so the volume cannot be scrubbed; delete that object");
        }
        Optional<HasMetadata> earlier = Stream.of(observed.scrubPod(), observed.scrubClaim())
                .flatMap(Stream::ofNullable)
                .map(HasMetadata.class::cast)
                .filter(this::isOfAnEarlierScrub)
                .findFirst();
        if (earlier.isPresent()) {
            return remove(earlier.get());
        }
        return Metadata.annotation(volume, ReleaserNames.SCRUBBED).isEmpty() ? scrub() : finish();
    }

    /** It proves nothing about the data of the last claim: a cache may still show it although it was deleted. */
    private boolean isOfAnEarlierScrub(HasMetadata helper) {
        return !Metadata.annotation(helper, ReleaserNames.SCRUB)
                .equals(Metadata.annotation(volume, ReleaserNames.SCRUB));
    }

    /** Scrub objects of a volume that is deleted or being deleted. */
    static Optional<Step> orphans(ReleaseObservation observed) {
        return Stream.of(observed.scrubPod(), observed.scrubClaim())
                .flatMap(Stream::ofNullable)
                .filter(helper -> !Metadata.isBeingDeleted(helper))
                .filter(helper -> Metadata.annotation(helper, ReleaserNames.SCRUB_VOLUME_UID)
                        .equals(observed.key().uid()))
                .map(helper -> (Step) delete(helper))
                .findFirst();
    }

    private Decision<Step> scrub() {
        @Nullable PersistentVolumeClaim claim = observed.scrubClaim();
        @Nullable Pod pod = observed.scrubPod();
        if (claim == null) {
            return pod != null ? remove(pod) : claim();
        }
        if (Metadata.isBeingDeleted(claim)) {
            return Decision.done();
        }
        if (refersToAnEarlier(claim)) {
            return reserve();
        }
        if (pod == null) {
            return createPod();
        }
        if (Metadata.isBeingDeleted(pod)) {
            return Decision.done();
        }
        return switch (phase(pod)) {
            case "Succeeded" ->
                Decision.act(ReleaseDecision.patch("mark as scrubbed", volume, ReleasePatches.markScrubbed(volume)));
            case "Failed" -> replace(pod);
            default -> waiting(pod);
        };
    }

    /** The claim was deleted and created again, and would wait for ever: the volume refers to the uid of the deleted one. */
    private boolean refersToAnEarlier(PersistentVolumeClaim claim) {
        String uid = PersistentVolumes.claimUid(volume);
        return !uid.isEmpty()
                && !uid.equals(claim.getMetadata().getUid())
                && PersistentVolumes.phase(volume).equals(PersistentVolumes.RELEASED);
    }

    private Decision<Step> waiting(Pod pod) {
        Optional<PodCondition> unschedulable = unschedulable(pod);
        Duration left = unschedulable
                .map(PodCondition::getLastTransitionTime)
                .map(since -> Duration.between(
                        observed.now(), OffsetDateTime.parse(since).toInstant().plus(SCHEDULING)))
                .orElse(Duration.ZERO);
        if (left.isPositive()) {
            return Decision.finish(Result.requeueAfter(left, SCHEDULING));
        }
        return Stream.concat(
                        unschedulable.map(condition -> "Unschedulable: " + condition.getMessage()).stream(),
                        waitingReasons(pod))
                .findFirst()
                .map(reason -> problem("Pod " + settings.scrubNamespace() + "/"
                        + pod.getMetadata().getName()
                        + " has not scrubbed the volume yet (" + SafeText.line(reason)
                        + "); see its log and its events"))
                .orElseGet(Decision::done);
    }

    private Decision<Step> createPod() {
        Optional<String> image = observed.annotation(ReleaserNames.SCRUB_IMAGE);
        if (image.isEmpty()) {
            return problem("The volume is being scrubbed, but its class no longer names an image; annotate it with "
                    + ReleaserNames.SCRUB_IMAGE);
        }
        try {
            return create(ScrubObjects.pod(volume, image.get(), options(), settings));
        } catch (IllegalArgumentException e) {
            return problem("The annotation " + ReleaserNames.SCRUB_POD + " of the volume or its class is invalid: "
                    + e.getMessage());
        }
    }

    private ScrubPodOptions options() {
        return ScrubPodOptions.parse(
                observed.annotation(ReleaserNames.SCRUB_POD).orElse(""));
    }

    private static Optional<PodCondition> unschedulable(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getConditions).stream()
                .flatMap(Collection::stream)
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "Unschedulable".equals(condition.getReason()))
                .findFirst();
    }

    /** Why containers are waiting; empty if they are only starting. */
    private static Stream<String> waitingReasons(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getContainerStatuses).stream()
                .flatMap(Collection::stream)
                .flatMap(container -> Stream.ofNullable(container.getState()))
                .flatMap(state -> Stream.ofNullable(state.getWaiting()))
                .flatMap(state -> Stream.ofNullable(state.getReason()))
                .filter(reason -> !STARTING.contains(reason));
    }

    /** If somebody deleted the scrub claim, the volume still refers to it and must be reserved again. */
    private Decision<Step> claim() {
        if (PersistentVolumes.claimUid(volume).isEmpty()) {
            return create(ScrubObjects.claim(volume, settings));
        }
        return PersistentVolumes.phase(volume).equals(PersistentVolumes.RELEASED) ? reserve() : Decision.done();
    }

    private Decision<Step> replace(Pod pod) {
        String message =
                "Pod " + settings.scrubNamespace() + "/" + pod.getMetadata().getName()
                        + " failed to scrub the volume"
                        + Optional.ofNullable(pod.getStatus())
                                .map(PodStatus::getReason)
                                .map(reason -> " (" + SafeText.line(reason) + ")")
                                .orElse("")
                        + "; it will be replaced";
        return Decision.act(
                new ReleaseCall.ReplacePod(volume, pod, Problem.retryable(ReleaseReason.RELEASE_FAILED, message)));
    }

    private Decision<Step> finish() {
        @Nullable Pod pod = observed.scrubPod();
        @Nullable PersistentVolumeClaim claim = observed.scrubClaim();
        if (pod != null) {
            return remove(pod);
        }
        if (claim != null) {
            return remove(claim);
        }
        // While the phase is Bound, the binder has not observed the deletion of the claim and would revert the release.
        return PersistentVolumes.phase(volume).equals(PersistentVolumes.BOUND)
                ? Decision.done()
                : ReleaseDecision.release(volume, settings, "Scrubbed and released; any claim can bind it");
    }

    /** Records the intent to scrub the volume, and reserves it for the scrub claim. */
    private Decision<Step> reserve() {
        return Decision.act(ReleaseDecision.patch("reserve", volume, ReleasePatches.reserve(volume, settings)));
    }

    private Decision<Step> create(HasMetadata helper) {
        String message = helper.getKind() + " " + helper.getMetadata().getNamespace() + "/"
                + helper.getMetadata().getName() + ", which scrubs the volume, cannot be created. ";
        return Decision.act(new Step.Write("Create", helper, new Step.Create())
                .reporting(ReleaseDecision.notReleased(volume, message)));
    }

    private static Step.Write delete(HasMetadata helper) {
        return new Step.Write("Delete", helper, new Step.DeleteAnyVersion());
    }

    private static Decision<Step> remove(HasMetadata helper) {
        return Metadata.isBeingDeleted(helper) ? Decision.done() : Decision.act(delete(helper));
    }

    private boolean isForeign(@Nullable HasMetadata helper) {
        return helper != null
                && !Metadata.annotation(helper, ReleaserNames.SCRUB_VOLUME_UID)
                        .equals(volume.getMetadata().getUid());
    }

    private static String phase(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getPhase).orElse("");
    }

    private Decision<Step> problem(String message) {
        return ReleaseDecision.report(volume, message);
    }
}
