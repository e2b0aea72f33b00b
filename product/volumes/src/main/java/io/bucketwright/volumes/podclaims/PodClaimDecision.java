package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules: when a claim is created for a pod's volume, and what is reported when it is not.
 *
 * @param authorize whether the pod's service account must have the permission to create claims
 */
record PodClaimDecision(ControllerId id, boolean authorize) {

    Decision<Step> decide(PodClaimObservation observed) {
        @Nullable Pod pod = observed.pod();
        if (pod == null || Metadata.isBeingDeleted(pod)) {
            return Decision.done();
        }
        Optional<Problem> unserved = VolumeRequest.problem(pod);
        if (unserved.isPresent() && !observed.key().isWholePod()) {
            return Decision.done();
        }
        if (unserved.isPresent()) {
            return report(pod, unserved.get(), unserved.get().result());
        }
        return VolumeRequest.of(pod, observed.key().volume())
                .filter(request -> !request.isDisabled())
                .map(request -> new RequestedVolume(this, observed, pod, request).decide())
                .orElseGet(Decision::done);
    }

    private record RequestedVolume(
            PodClaimDecision rules, PodClaimObservation observed, Pod pod, VolumeRequest request) {

        Decision<Step> decide() {
            if (!request.isEnabled()) {
                return problem(
                        PodClaimReason.INVALID_PVC,
                        "The annotation " + annotation(PodClaimAnnotations.ENABLED) + " must be true or false, not \""
                                + SafeText.line(request.enabled()) + "\"");
            }
            if (request.template().isBlank()) {
                return problem(
                        PodClaimReason.MISSING_PVC,
                        text() + " requests a claim, but the annotation " + annotation(PodClaimAnnotations.TEMPLATE)
                                + " is missing or empty; it must contain a PersistentVolumeClaim");
            }
            return switch (request.place()) {
                case VolumeRequest.Place.Missing() ->
                    problem(
                            PodClaimReason.MISSING_VOLUME,
                            text() + " requests a claim, but the pod has no volume of that name");
                case VolumeRequest.Place.OtherKind() ->
                    problem(
                            PodClaimReason.INVALID_PVC,
                            text() + " requests a claim, but has no" + " persistentVolumeClaim.claimName; set it");
                case VolumeRequest.Place.Claim(String name, String sharedWith) ->
                    sharedWith.isEmpty() ? claim(name, observed.claim()) : Decision.done();
            };
        }

        private Decision<Step> claim(String name, @Nullable PersistentVolumeClaim existing) {
            return existing == null ? create(name) : existing(existing);
        }

        private Decision<Step> existing(PersistentVolumeClaim existing) {
            Optional<OwnerReference> owner = PodClaimAnnotations.controllingPod(existing);
            // No two pods have one name at a time: an owner of this pod's name is this pod, or a former pod whose claim
            // the garbage collector deletes.
            boolean ownedByThisPod = owner.filter(
                            pods -> pod.getMetadata().getName().equals(pods.getName())
                                    || pod.getMetadata().getUid().equals(pods.getUid()))
                    .isPresent();
            if (ownedByThisPod || Metadata.isBeingDeleted(existing)) {
                return Decision.done();
            }
            return problem(
                    PodClaimReason.FAILED,
                    "PersistentVolumeClaim "
                            + SafeText.line(existing.getMetadata().getName())
                            + " exists already and is "
                            + owner.map(pods -> "owned by pod " + SafeText.line(pods.getName()))
                                    .orElse("not owned by this pod")
                            + "; it is not changed. Choose another claimName, or remove the annotations to use it");
        }

        private Decision<Step> create(String name) {
            ClaimTemplate template;
            try {
                template =
                        ClaimTemplate.read(request.template(), pod.getMetadata().getNamespace());
            } catch (InvalidTemplateException e) {
                return problem(
                        PodClaimReason.INVALID_PVC,
                        "The annotation " + annotation(PodClaimAnnotations.TEMPLATE)
                                + " is not one PersistentVolumeClaim: " + e.getMessage());
            }
            String inputs = name + "\n" + request.template();
            @Nullable FailedAttempt failure = observed.failure();
            if (failure != null && failure.blocks(PodClaimController.CREATE, inputs)) {
                return report(pod, failure.problem(), failure.result());
            }
            if (rules.authorize() && !observed.authorizedInputs().equals(inputs)) {
                return Decision.act(new PodClaimCall.Authorize(pod, inputs));
            }
            return Decision.act(new PodClaimCall.CreateClaim(pod, template.claimFor(pod, name, rules.id()), inputs));
        }

        private String text() {
            return "Volume " + SafeText.line(request.volume());
        }

        private String annotation(String suffix) {
            return PodClaimAnnotations.PREFIX + SafeText.line(request.volume()) + suffix;
        }

        private Decision<Step> problem(String reason, String message) {
            return report(pod, Problem.requiresChange(reason, message), Result.requiresChange(message));
        }
    }

    private static Decision<Step> report(Pod pod, Problem problem, Result result) {
        return Decision.act(new Step.Report(pod, PodClaimController.ACTION, problem, result));
    }
}
