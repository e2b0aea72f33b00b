package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides which volumes the releaser manages, and what happens to them after their claim is deleted. */
record ReleaseDecision(ReleaserSettings settings, ReleaseObservation observed, PersistentVolume volume) {

    /** Of events. */
    static final String RELEASE = "Release";

    private static final String ASSOCIATE = "Associate";

    static Decision<Step> decide(ReleaserSettings settings, ReleaseObservation observed) {
        @Nullable PersistentVolume volume = observed.volume();
        if (volume == null || Metadata.isBeingDeleted(volume)) {
            return ScrubDecision.orphans(observed).map(Decision::act).orElseGet(Decision::done);
        }
        return Metadata.annotation(volume, ReleaserNames.SCRUB).isEmpty()
                ? new ReleaseDecision(settings, observed, volume).decide()
                : new ScrubDecision(settings, observed, volume).decide();
    }

    static Decision<Step> report(PersistentVolume volume, String message) {
        return Decision.act(
                new Step.Report(volume, RELEASE, Problem.requiresChange(ReleaseReason.RELEASE_FAILED, message)));
    }

    /** If the API server rejects the write, the volume is not released. */
    static Step.Write patch(String name, PersistentVolume volume, JsonPatch patch) {
        return new Step.Write(name, volume, new Step.Patch(patch)).reporting(notReleased(volume, ""));
    }

    static Step.Rejection notReleased(PersistentVolume volume, String message) {
        return new Step.Rejection(volume, ReleaseReason.RELEASE_FAILED, RELEASE, message);
    }

    /** Makes the volume Available for any claim. */
    static Decision<Step> release(PersistentVolume volume, ReleaserSettings settings, String note) {
        return Decision.act(patch(RELEASE, volume, ReleasePatches.release(volume, settings))
                .reporting(new Step.Event(false, ReleaseReason.RELEASED, RELEASE, note)));
    }

    static String claimOf(PersistentVolume volume) {
        return PersistentVolumes.claim(volume)
                .map(claim -> claim.getNamespace() + "/" + claim.getName())
                .orElse("(none)");
    }

    /** A write while the claim exists. */
    private Step.Write patchBound(String name, JsonPatch patch) {
        return new Step.Write(name, volume, new Step.Patch(patch))
                .reporting(new Step.Rejection(volume, ReleaseReason.ASSOCIATION_FAILED, ASSOCIATE, ""));
    }

    private Decision<Step> associate() {
        String note = "Associated with " + settings.id() + " for claim " + claimOf(volume)
                + "; it will be released when the claim is deleted";
        return Decision.act(patchBound(ASSOCIATE, ReleasePatches.associate(volume, settings))
                .reporting(new Step.Event(false, ReleaseReason.ASSOCIATED, ASSOCIATE, note)));
    }

    /** Kubernetes bound the successor of the former claim to another volume. */
    private Decision<Step> restore(RecordedClaim former) {
        String note =
                "The new claim " + claimOf(volume) + " was not bound to this volume, which stays Released. To give"
                        + " it to any claim of that name, remove the annotation " + ReleaserNames.FORMER_CLAIM
                        + " and spec.claimRef.uid of the volume";
        return Decision.act(patch("restore the former claim", volume, ReleasePatches.restoreFormerClaim(volume, former))
                .reporting(new Step.Event(true, ReleaseReason.RELEASE_FAILED, RELEASE, note)));
    }

    private Decision<Step> decide() {
        String claimUid = PersistentVolumes.claimUid(volume);
        Optional<RecordedClaim> former = former();
        if (claimUid.isEmpty()) {
            return former.isPresent() && PersistentVolumes.claim(volume).isPresent()
                    ? restore(former.get())
                    : Decision.done();
        }
        if (former.isPresent() && PersistentVolumes.phase(volume).equals(PersistentVolumes.BOUND)) {
            return Decision.act(patch("forget the former claim", volume, ReleasePatches.forgetFormerClaim(volume)));
        }
        String associated = Metadata.annotation(volume, ReleaserNames.ASSOCIATED);
        if (!associated.isEmpty() && !associated.equals(claimUid) && isControllerId(label())) {
            return Decision.act(patchBound("disassociate", ReleasePatches.disassociate(volume)));
        }
        if (!PersistentVolumes.isRetained(volume)) {
            return Decision.done();
        }
        if (hasContradictoryLabels()) {
            return problem("The labels " + ReleaserNames.MANAGED_BY + " and " + ReleaserNames.LEGACY_MANAGED_BY
                    + " name different controllers; remove one of them");
        }
        return switch (PersistentVolumes.phase(volume)) {
            case PersistentVolumes.RELEASED -> isManaged() ? release() : Decision.done();
            case PersistentVolumes.BOUND -> mayAssociate() ? associate() : recordNamespace();
            default -> Decision.done();
        };
    }

    /** Costs one write for each claim. */
    private Decision<Step> recordNamespace() {
        @Nullable Namespace namespace = observed.namespace();
        boolean needed = mode().equals(ReleaseMode.SOFT.text())
                && isManaged()
                && new FormerNamespace(volume).mustBeRecorded(observed.claim(), namespace);
        return needed && namespace != null
                ? Decision.act(patchBound(
                        "record the namespace",
                        ReleasePatches.recordNamespace(
                                volume, namespace.getMetadata().getUid())))
                : Decision.done();
    }

    /** The volume stays Released, with the uid of its former claim, until its successor exists: no other claim can bind it. */
    private Decision<Step> rebind() {
        @Nullable PersistentVolumeClaim claim = observed.claim();
        @Nullable Namespace namespace = observed.namespace();
        if (claim == null || namespace == null) {
            return Decision.done();
        }
        SuccessorClaim successor = new SuccessorClaim(volume, claim);
        if (!successor.isWaiting()) {
            return Decision.done();
        }
        String mismatch = successor.mismatch();
        if (!mismatch.isEmpty()) {
            return problem("Claim " + namespace.getMetadata().getName() + "/"
                    + claim.getMetadata().getName() + " has the name of the volume's former claim, but it " + mismatch
                    + ", so Kubernetes would bind another volume. The volume stays Released; create a claim that fits");
        }
        return new FormerNamespace(volume).is(namespace)
                ? Decision.act(new ReleaseCall.Rebind(volume, claim, namespace))
                : problem("Claim " + namespace.getMetadata().getName() + "/"
                        + claim.getMetadata().getName()
                        + " has the name of the volume's former claim, but nothing proves that its namespace is the same one:"
                        + " it may have been deleted and created again by another tenant. The volume stays Released;"
                        + " to bind it with its data, remove spec.claimRef.uid of the volume");
    }

    /** The former claim that this releaser recorded. */
    private Optional<RecordedClaim> former() {
        return RecordedClaim.parse(Metadata.annotation(volume, ReleaserNames.FORMER_CLAIM))
                .filter(former -> isControllerId(former.id()));
    }

    private String mode() {
        return observed.annotation(ReleaserNames.MODE).orElse(ReleaseMode.FULL.text());
    }

    private Decision<Step> release() {
        String text = mode();
        Optional<ReleaseMode> mode = ReleaseMode.of(text);
        if (mode.isEmpty()) {
            return problem(
                    "The annotation " + ReleaserNames.MODE + " of the volume or its class must be none, soft, full or"
                            + " scrub, not \"" + SafeText.line(text) + "\"; the volume stays Released");
        }
        return switch (mode.get()) {
            case NONE -> Decision.done();
            case SOFT -> rebind();
            case FULL ->
                release(
                        volume,
                        settings,
                        "Released by claim " + claimOf(volume) + "; any claim can bind it with its data");
            case SCRUB -> new ScrubDecision(settings, observed, volume).start();
        };
    }

    private boolean isManaged() {
        String label = label();
        if (!label.isEmpty()) {
            return isControllerId(label);
        }
        String ofClass = observed.classAnnotation(ReleaserNames.CONTROLLER_ID);
        return ofClass.isEmpty() ? mayAssociate() : isControllerId(ofClass);
    }

    /** If the class has an annotation of the releaser, the administrator decides, and the claim of a tenant has no effect. */
    private boolean mayAssociate() {
        return settings.automatic()
                && observed.managedClaim()
                && label().isEmpty()
                && observed.classAnnotation(ReleaserNames.CONTROLLER_ID).isEmpty()
                && !observed.classAnnotation(ReleaserNames.MODE).equals(ReleaseMode.NONE.text());
    }

    private boolean isControllerId(String id) {
        return settings.id().value().equals(id);
    }

    private boolean hasContradictoryLabels() {
        String one = Metadata.label(volume, ReleaserNames.MANAGED_BY);
        String two = Metadata.label(volume, ReleaserNames.LEGACY_MANAGED_BY);
        boolean concernsThisController = isControllerId(one) || isControllerId(two);
        return !one.isEmpty() && !two.isEmpty() && !one.equals(two) && concernsThisController;
    }

    private String label() {
        return Stream.of(ReleaserNames.MANAGED_BY, ReleaserNames.LEGACY_MANAGED_BY)
                .map(key -> Metadata.label(volume, key))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    private Decision<Step> problem(String message) {
        return report(volume, message);
    }
}
