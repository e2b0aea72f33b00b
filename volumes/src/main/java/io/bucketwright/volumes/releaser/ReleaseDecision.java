package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides which volumes the releaser manages, and what happens to them after their claim is deleted. */
final class ReleaseDecision {

    private final ReleaserSettings settings;
    private final ScrubDecision scrub;

    ReleaseDecision(ReleaserSettings settings) {
        this.settings = settings;
        this.scrub = new ScrubDecision(settings);
    }

    Decision<ReleaseStep> decide(ReleaseObservation observed) {
        @Nullable PersistentVolume volume = observed.volume();
        if (volume == null || Metadata.isBeingDeleted(volume)) {
            return ScrubDecision.orphans(observed).map(Decision::act).orElseGet(Decision::done);
        }
        if (!Metadata.annotation(volume, ReleaserNames.SCRUB).isEmpty()) {
            return scrub.decide(observed, volume);
        }
        return new OneVolume(observed, volume).decide();
    }

    static Decision<ReleaseStep> report(ReleaseObservation observed, PersistentVolume volume, String message) {
        Problem problem = Problem.requiresChange(ReleaseReason.RELEASE_FAILED.text(), message);
        return problem.equals(observed.reported())
                ? Decision.finish(problem.result())
                : Decision.act(new ReleaseStep.Report(volume, problem));
    }

    private final class OneVolume {

        private final ReleaseObservation observed;
        private final PersistentVolume volume;
        private final String claimUid;

        OneVolume(ReleaseObservation observed, PersistentVolume volume) {
            this.observed = observed;
            this.volume = volume;
            this.claimUid = PersistentVolumes.claimUid(volume);
        }

        Decision<ReleaseStep> decide() {
            if (claimUid.isEmpty()) {
                return Decision.done();
            }
            if (isAssociatedWithAnother()) {
                return Decision.act(new ReleaseStep.Disassociate(volume));
            }
            if (!PersistentVolumes.isRetained(volume)) {
                return Decision.done();
            }
            if (hasContradictoryLabels()) {
                return report(
                        observed,
                        volume,
                        "The labels " + ReleaserNames.MANAGED_BY + " and " + ReleaserNames.LEGACY_MANAGED_BY
                                + " name different controllers; remove one of them");
            }
            return switch (PersistentVolumes.phase(volume)) {
                case PersistentVolumes.RELEASED -> isManaged() ? release() : Decision.done();
                case PersistentVolumes.BOUND ->
                    mayAssociate() ? Decision.act(new ReleaseStep.Associate(volume)) : Decision.done();
                default -> Decision.done();
            };
        }

        private Decision<ReleaseStep> release() {
            String text = annotation(ReleaserNames.MODE).orElse(ReleaseMode.FULL.text());
            Optional<ReleaseMode> mode = ReleaseMode.of(text);
            if (mode.isEmpty()) {
                return report(
                        observed,
                        volume,
                        "The annotation " + ReleaserNames.MODE
                                + " of the volume or its class must be none, soft, full or" + " scrub, not \""
                                + SafeText.line(text) + "\"; the volume stays Released");
            }
            return switch (mode.get()) {
                case NONE -> Decision.done();
                case SOFT, FULL -> Decision.act(new ReleaseStep.Release(volume, mode.get()));
                case SCRUB -> scrub.start(observed, volume);
            };
        }

        private boolean isManaged() {
            String label = label();
            if (!label.isEmpty()) {
                return isControllerId(label);
            }
            String ofClass = ofClass(ReleaserNames.CONTROLLER_ID);
            return ofClass.isEmpty() ? mayAssociate() : isControllerId(ofClass);
        }

        /** If the class has an annotation of the releaser, the administrator decides, and the claim of a tenant has no effect. */
        private boolean mayAssociate() {
            return settings.automatic()
                    && observed.managedClaim()
                    && label().isEmpty()
                    && ofClass(ReleaserNames.CONTROLLER_ID).isEmpty()
                    && !ofClass(ReleaserNames.MODE).equals(ReleaseMode.NONE.text());
        }

        private boolean isAssociatedWithAnother() {
            String associated = Metadata.annotation(volume, ReleaserNames.ASSOCIATED);
            return !associated.isEmpty() && !associated.equals(claimUid) && isControllerId(label());
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

        /** The annotation of the volume, or of its class. */
        private Optional<String> annotation(String annotation) {
            return ScrubDecision.annotation(observed, volume, annotation);
        }

        private String ofClass(String annotation) {
            @Nullable StorageClass storageClass = observed.storageClass();
            return storageClass == null ? "" : Metadata.annotation(storageClass, annotation);
        }
    }
}
