package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.podclaims.Printable;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules: whose a volume is, and what becomes of it when its claim is gone. */
final class ReleaseDecision {

    private final Settings settings;
    private final Scrubbing scrubbing;

    ReleaseDecision(Settings settings) {
        this.settings = settings;
        this.scrubbing = new Scrubbing(settings);
    }

    Decision<Step> decide(Observed observed) {
        @Nullable PersistentVolume volume = observed.volume();
        if (volume == null || Volumes.isGoing(volume)) {
            return Scrubbing.leftovers(observed).map(Decision::act).orElseGet(Decision::done);
        }
        if (!Marks.annotation(volume, Marks.SCRUB).isEmpty()) {
            return scrubbing.decide(observed, volume);
        }
        return new OneVolume(observed, volume).decide();
    }

    static Decision<Step> trouble(Observed observed, PersistentVolume volume, String note) {
        Trouble trouble = Trouble.releasing(note);
        return trouble.equals(observed.told())
                ? Decision.finish(Result.requiresChange(note))
                : Decision.act(new Step.Tell(volume, trouble));
    }

    private final class OneVolume {

        private final Observed observed;
        private final PersistentVolume volume;
        private final String claimUid;

        OneVolume(Observed observed, PersistentVolume volume) {
            this.observed = observed;
            this.volume = volume;
            this.claimUid = Volumes.claimUid(volume);
        }

        Decision<Step> decide() {
            if (claimUid.isEmpty()) {
                return Decision.done();
            }
            if (isAssociatedWithAnother()) {
                return Decision.act(new Step.Disassociate(volume));
            }
            if (!Volumes.isRetained(volume)) {
                return Decision.done();
            }
            if (isLabelledTwice()) {
                return trouble(
                        observed,
                        volume,
                        "The labels " + Marks.MANAGED_BY + " and " + Marks.MANAGED_BY_OF_OLD
                                + " name two controllers; remove one");
            }
            return switch (Volumes.phase(volume)) {
                case Volumes.RELEASED -> isOurs() ? release() : Decision.done();
                case Volumes.BOUND -> mayAssociate() ? Decision.act(new Step.Associate(volume)) : Decision.done();
                default -> Decision.done();
            };
        }

        private Decision<Step> release() {
            String word = said(Marks.MODE).orElse(Mode.FULL.word());
            Optional<Mode> mode = Mode.of(word);
            if (mode.isEmpty()) {
                return trouble(
                        observed,
                        volume,
                        "The annotation " + Marks.MODE + " of the volume or its class must be none, soft, full or"
                                + " scrub, not \"" + Printable.of(word) + "\"; the volume stays Released");
            }
            return switch (mode.get()) {
                case NONE -> Decision.done();
                case SOFT, FULL -> Decision.act(new Step.Release(volume, mode.get()));
                case SCRUB -> scrubbing.begin(observed, volume);
            };
        }

        private boolean isOurs() {
            String label = label();
            if (!label.isEmpty()) {
                return isOfUs(label);
            }
            String ofClass = ofClass(Marks.CONTROLLER_ID);
            return ofClass.isEmpty() ? mayAssociate() : isOfUs(ofClass);
        }

        /** A class that says anything about releasing is its administrator's word, and a tenant's claim adds nothing. */
        private boolean mayAssociate() {
            return settings.automatic()
                    && observed.ofOurClaim()
                    && label().isEmpty()
                    && ofClass(Marks.CONTROLLER_ID).isEmpty()
                    && !ofClass(Marks.MODE).equals(Mode.NONE.word());
        }

        private boolean isAssociatedWithAnother() {
            String associated = Marks.annotation(volume, Marks.ASSOCIATED);
            return !associated.isEmpty() && !associated.equals(claimUid) && isOfUs(label());
        }

        private boolean isOfUs(String id) {
            return settings.id().value().equals(id);
        }

        private boolean isLabelledTwice() {
            String one = Marks.label(volume, Marks.MANAGED_BY);
            String two = Marks.label(volume, Marks.MANAGED_BY_OF_OLD);
            boolean concernsUs = isOfUs(one) || isOfUs(two);
            return !one.isEmpty() && !two.isEmpty() && !one.equals(two) && concernsUs;
        }

        private String label() {
            return Stream.of(Marks.MANAGED_BY, Marks.MANAGED_BY_OF_OLD)
                    .map(key -> Marks.label(volume, key))
                    .filter(value -> !value.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        /** The volume's own word, else its class'. */
        private Optional<String> said(String annotation) {
            return Scrubbing.said(observed, volume, annotation);
        }

        private String ofClass(String annotation) {
            @Nullable StorageClass storageClass = observed.storageClass();
            return storageClass == null ? "" : Marks.annotation(storageClass, annotation);
        }
    }
}
