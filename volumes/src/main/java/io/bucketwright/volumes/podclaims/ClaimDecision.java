package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules: when a pod's volume gets a claim, and what its author is told when it does not. */
final class ClaimDecision {

    private final Settings settings;

    ClaimDecision(Settings settings) {
        this.settings = settings;
    }

    Decision<Step> decide(Observed observed) {
        @Nullable Pod pod = observed.pod();
        if (pod == null || pod.getMetadata().getDeletionTimestamp() != null) {
            return Decision.done();
        }
        Optional<VolumeRequest> request =
                VolumeRequest.of(pod, observed.key().volume()).filter(it -> !it.isOff());
        if (request.isEmpty()) {
            return Decision.done();
        }
        return new OneVolume(observed, pod, request.get()).decide();
    }

    private final class OneVolume {

        private final Observed observed;
        private final Pod pod;
        private final VolumeRequest request;
        private final String volume;

        OneVolume(Observed observed, Pod pod, VolumeRequest request) {
            this.observed = observed;
            this.pod = pod;
            this.request = request;
            this.volume = Printable.of(request.volume());
        }

        Decision<Step> decide() {
            if (!request.isOn()) {
                return trouble(
                        Reason.INVALID_PVC,
                        "The annotation " + Marks.PREFIX + volume + Marks.ENABLED + " must be true or false, not \""
                                + Printable.of(request.enabled()) + "\"");
            }
            if (request.template().isBlank()) {
                return trouble(
                        Reason.MISSING_PVC,
                        "Volume " + volume + " asks for a claim, but the annotation " + Marks.PREFIX + volume
                                + Marks.TEMPLATE + " does not say which; put a PersistentVolumeClaim there");
            }
            return switch (request.place()) {
                case VolumeRequest.Place.Missing() ->
                    trouble(
                            Reason.MISSING_VOLUME,
                            "Volume " + volume + " asks for a claim, but the pod has no volume of that name");
                case VolumeRequest.Place.OtherKind() ->
                    trouble(
                            Reason.INVALID_PVC,
                            "Volume " + volume + " asks for a claim, but names none: give it a"
                                    + " persistentVolumeClaim.claimName");
                case VolumeRequest.Place.Claim(String name, String sharedWith) ->
                    sharedWith.isEmpty() ? claim(name) : Decision.done();
            };
        }

        private Decision<Step> claim(String name) {
            @Nullable PersistentVolumeClaim there = observed.claim();
            return there == null ? make(name) : existing(there);
        }

        private Decision<Step> existing(PersistentVolumeClaim there) {
            Optional<OwnerReference> owner = Marks.controllingPod(there);
            String uid = pod.getMetadata().getUid();
            if (owner.filter(it -> uid.equals(it.getUid())).isPresent()) {
                return Decision.done();
            }
            // No two pods have one name at a time: its owner is this pod's predecessor, and the collector will come.
            boolean predecessors = owner.filter(
                            it -> pod.getMetadata().getName().equals(it.getName()))
                    .isPresent();
            if (predecessors || there.getMetadata().getDeletionTimestamp() != null) {
                return Decision.done();
            }
            return trouble(
                    Reason.FAILED,
                    "PersistentVolumeClaim " + Printable.of(there.getMetadata().getName()) + " exists already and is "
                            + owner.map(it -> "that of pod " + Printable.of(it.getName()))
                                    .orElse("not this pod's")
                            + "; it is left as it is. Choose another claimName, or remove the annotations to use it");
        }

        private Decision<Step> make(String name) {
            ClaimTemplate template;
            try {
                template =
                        ClaimTemplate.read(request.template(), pod.getMetadata().getNamespace());
            } catch (UnreadableException e) {
                return trouble(
                        Reason.INVALID_PVC,
                        "The annotation " + Marks.PREFIX + volume + Marks.TEMPLATE
                                + " is not one PersistentVolumeClaim: " + e.why());
            }
            String inputs = name + "\n" + request.template();
            Optional<Refusal> refusal = observed.memory()
                    .refusal()
                    .filter(last -> last.inputs().equals(inputs))
                    .filter(last -> last.lasting() || last.notBefore() - observed.now() > 0);
            if (refusal.isPresent()) {
                return waitAfter(refusal.get());
            }
            if (settings.authorize() && !observed.memory().cleared().equals(inputs)) {
                return Decision.act(new Step.Authorize(observed.key(), pod, inputs));
            }
            return Decision.act(
                    new Step.Create(observed.key(), pod, template.claimFor(pod, name, settings.id()), inputs));
        }

        private Decision<Step> waitAfter(Refusal refusal) {
            if (!isTold(refusal.trouble())) {
                return Decision.act(new Step.Tell(observed.key(), pod, refusal.trouble()));
            }
            return refusal.lasting()
                    ? Decision.finish(Result.requiresChange(refusal.trouble().note()))
                    : Decision.finish(Result.requeueAfter(Duration.ofNanos(refusal.notBefore() - observed.now())));
        }

        private Decision<Step> trouble(Reason reason, String note) {
            Trouble trouble = new Trouble(reason, note);
            return isTold(trouble)
                    ? Decision.finish(Result.requiresChange(note))
                    : Decision.act(new Step.Tell(observed.key(), pod, trouble));
        }

        private boolean isTold(Trouble trouble) {
            return observed.memory().told().filter(trouble::equals).isPresent();
        }
    }
}
