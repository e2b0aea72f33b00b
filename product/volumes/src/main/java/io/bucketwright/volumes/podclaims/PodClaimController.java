package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Observes, decides and acts for volumes of Pending pods. */
record PodClaimController(
        ControllerContext context, PodClaimCaches caches, InFlightState<VolumeKey, String> authorizedInputs) {

    /** The operation of failed attempts. */
    static final String CREATE = "CreateClaim";

    private static final String CLAIM = "PersistentVolumeClaim";

    /** Not a kind of Kubernetes: a volume of a pod. */
    private static final String VOLUME = "PodVolume";

    /** Of events. */
    static final String ACTION = "Provision";

    static void register(ControllerContext context, PodClaimDecision decision, String namespace, int workers) {
        PodClaimCaches caches = new PodClaimCaches(context.caches(), namespace);
        PodClaimController loop = new PodClaimController(context, caches, context.inFlight(""));
        context.metrics().claims(VOLUME, loop::waiting);
        context.metrics()
                .claims(
                        CLAIM,
                        () -> caches.claims.list().stream()
                                .filter(claim -> decision.id()
                                        .value()
                                        .equals(Metadata.label(claim, PodClaimAnnotations.MANAGED_BY)))
                                .map(claim -> StatusLabels.of(claim, StatusLabels.NO_REASON)));
        context.controller(
                        "core-pod-claims",
                        loop::observe,
                        decision::decide,
                        loop.authorizedInputs,
                        PodClaimCall.class,
                        loop::call)
                .workers(workers)
                .tenants(key -> Optional.of(key.pod().namespace()))
                .watchRelated(caches.pods, caches::keysOf)
                .watchRelated(caches.claims, caches::keysOf);
    }

    /** The volumes of Pending pods for which claims are requested. */
    private Stream<StatusLabels> waiting() {
        return caches.pods.list().stream()
                .flatMap(pod -> caches.keysOf(pod).stream()
                        .map(key -> StatusLabels.of(pod, StatusLabels.PENDING, reported(key))));
    }

    private String reported(VolumeKey key) {
        return authorizedInputs.reported(key).map(Problem::reason).orElse(StatusLabels.NO_REASON);
    }

    PodClaimObservation observe(VolumeKey key) {
        @Nullable Pod pod = caches.pod(key.pod()).orElse(null);
        return new PodClaimObservation(
                key,
                pod,
                pod == null ? null : claim(pod, key.volume()),
                authorizedInputs.get(key),
                authorizedInputs.failure(key).orElse(null));
    }

    Outcome call(VolumeKey key, PodClaimCall call) {
        return switch (call) {
            case PodClaimCall.Authorize(Pod pod, String inputs) -> authorize(key, pod, inputs);
            case PodClaimCall.CreateClaim create -> create(key, create);
        };
    }

    private Outcome authorize(VolumeKey key, Pod pod, String inputs) {
        String account = VolumeRequest.serviceAccount(pod);
        SubjectAccessReview review = context.writer().create(review(pod, account));
        if (review.getStatus() != null && Boolean.TRUE.equals(review.getStatus().getAllowed())) {
            authorizedInputs.update(key, _ -> inputs);
            return Outcome.progress();
        }
        String message = "Service account " + account + " may not create PersistentVolumeClaims in namespace "
                + pod.getMetadata().getNamespace() + ", so no claim is created for its pod; grant the"
                + " permission, or remove the annotations";
        // A permission is granted without a watch event of the pod.
        return failed(key, inputs, Problem.requiresUnwatchedChange(PodClaimReason.FAILED, message));
    }

    /** Other errors pass: if the claim exists, the next event shows who owns it; the pod is deleted with its namespace. */
    private Outcome create(VolumeKey key, PodClaimCall.CreateClaim call) {
        try {
            context.writer().create(call.claim());
        } catch (ApiException e) {
            if (e.error() instanceof ApiError.Invalid || e.error() instanceof ApiError.Forbidden) {
                return failed(key, call.inputs(), Problem.of(e.error(), PodClaimReason.FAILED));
            }
            throw e;
        }
        context.metrics().bound(CLAIM, call.pod(), context.time().now());
        context.events()
                .normal(
                        call.pod(),
                        PodClaimReason.PROVISIONED,
                        ACTION,
                        "PersistentVolumeClaim " + call.claim().getMetadata().getName() + " created for volume "
                                + key.volume());
        return Outcome.progress();
    }

    private Outcome failed(VolumeKey key, String inputs, Problem problem) {
        authorizedInputs.recordFailure(key, CREATE, inputs, problem);
        authorizedInputs.update(key, _ -> "");
        return Outcome.progress();
    }

    private static SubjectAccessReview review(Pod pod, String account) {
        String namespace = pod.getMetadata().getNamespace();
        return new SubjectAccessReviewBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .withUser("system:serviceaccount:" + namespace + ":" + account)
                .withGroups("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated")
                .withNewResourceAttributes()
                .withNamespace(namespace)
                .withVerb("create")
                .withResource("persistentvolumeclaims")
                .endResourceAttributes()
                .endSpec()
                .build();
    }

    private @Nullable PersistentVolumeClaim claim(Pod pod, String volume) {
        return VolumeRequest.of(pod, volume)
                .map(request -> request.place() instanceof VolumeRequest.Place.Claim claim ? claim.name() : "")
                .flatMap(name -> caches.claims.get(pod.getMetadata().getNamespace(), name))
                .orElse(null);
    }
}
