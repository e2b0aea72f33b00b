package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
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

    static Decision<ReleaseStep> decide(ReleaserSettings settings, ReleaseObservation observed) {
        @Nullable PersistentVolume volume = observed.volume();
        if (volume == null || Metadata.isBeingDeleted(volume)) {
            return ScrubDecision.orphans(observed).map(Decision::act).orElseGet(Decision::done);
        }
        return Metadata.annotation(volume, ReleaserNames.SCRUB).isEmpty()
                ? new ReleaseDecision(settings, observed, volume).decide()
                : new ScrubDecision(settings, observed, volume).decide();
    }

    static Decision<ReleaseStep> report(ReleaseObservation observed, PersistentVolume volume, String message) {
        Problem problem = Problem.requiresChange(ReleaseReason.RELEASE_FAILED, message);
        return problem.equals(observed.reported())
                ? Decision.finish(problem.result())
                : Decision.act(new ReleaseStep.Report(volume, problem));
    }

    private Decision<ReleaseStep> decide() {
        String claimUid = PersistentVolumes.claimUid(volume);
        Optional<FormerClaim> former = former();
        if (claimUid.isEmpty()) {
            return former.isPresent() && PersistentVolumes.claim(volume).isPresent()
                    ? Decision.act(new ReleaseStep.RestoreFormerClaim(volume, former.get()))
                    : Decision.done();
        }
        if (former.isPresent() && PersistentVolumes.phase(volume).equals(PersistentVolumes.BOUND)) {
            return Decision.act(new ReleaseStep.ForgetFormerClaim(volume));
        }
        String associated = Metadata.annotation(volume, ReleaserNames.ASSOCIATED);
        if (!associated.isEmpty() && !associated.equals(claimUid) && isControllerId(label())) {
            return Decision.act(new ReleaseStep.Disassociate(volume));
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
            case PersistentVolumes.BOUND ->
                mayAssociate() ? Decision.act(new ReleaseStep.Associate(volume)) : recordNamespace();
            default -> Decision.done();
        };
    }

    /** Costs one write for each claim. */
    private Decision<ReleaseStep> recordNamespace() {
        @Nullable Namespace namespace = observed.namespace();
        boolean needed = mode().equals(ReleaseMode.SOFT.text())
                && isManaged()
                && new FormerNamespace(volume).mustBeRecorded(observed.claim(), namespace);
        return needed && namespace != null
                ? Decision.act(new ReleaseStep.RecordNamespace(volume, namespace))
                : Decision.done();
    }

    /** The volume stays Released, with the uid of its former claim, until its successor exists: no other claim can bind it. */
    private Decision<ReleaseStep> rebind() {
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
                ? Decision.act(new ReleaseStep.Rebind(volume, claim, namespace))
                : problem("Claim " + namespace.getMetadata().getName() + "/"
                        + claim.getMetadata().getName()
                        + " has the name of the volume's former claim, but nothing proves that its namespace is the same one:"
                        + " it may have been deleted and created again by another tenant. The volume stays Released;"
                        + " to bind it with its data, remove spec.claimRef.uid of the volume");
    }

    /** The former claim that this releaser recorded. */
    private Optional<FormerClaim> former() {
        return FormerClaim.parse(Metadata.annotation(volume, ReleaserNames.FORMER_CLAIM))
                .filter(former -> isControllerId(former.id()));
    }

    private String mode() {
        return observed.annotation(ReleaserNames.MODE).orElse(ReleaseMode.FULL.text());
    }

    private Decision<ReleaseStep> release() {
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
            case FULL -> Decision.act(new ReleaseStep.Release(volume, mode.get()));
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

    private Decision<ReleaseStep> problem(String message) {
        return report(observed, volume, message);
    }
}
