package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.RoleMetrics;
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
        PodClaimCaches caches,
        InFlightState<VolumeKey, PodClaimState> state,
        TimeSource time,
        ApiWriter writer,
        EventRecorder events,
        RoleMetrics metrics) {

    /** The operation of failed attempts. */
    static final String CREATE = "CreateClaim";

    private static final String CLAIM = "PersistentVolumeClaim";

    /** Not a kind of Kubernetes: a volume of a pod. */
    private static final String VOLUME = "PodVolume";

    private static final String ACTION = "Provision";

    static void register(ControllerContext context, PodClaimDecision decision, String namespace, int workers) {
        PodClaimCaches caches = new PodClaimCaches(context.caches(), namespace);
        InFlightState<VolumeKey, PodClaimState> state = context.inFlight(PodClaimState.INITIAL);
        PodClaimController loop = new PodClaimController(
                caches, state, context.time(), context.writer(), context.events(), context.metrics());
        context.metrics().claims(VOLUME, loop::waiting);
        context.metrics()
                .claims(
                        CLAIM,
                        () -> caches.claims.list().stream()
                                .filter(claim -> decision.id()
                                        .value()
                                        .equals(Metadata.label(claim, PodClaimAnnotations.MANAGED_BY)))
                                .map(claim -> StatusLabels.of(claim, StatusLabels.NO_REASON)));
        context.controller("pod-claims", loop::observe, decision::decide, loop::act)
                .workers(workers)
                .inFlight(state)
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
        return state.find(key)
                .flatMap(known -> Optional.ofNullable(known.reported()))
                .map(Problem::reason)
                .orElse(StatusLabels.NO_REASON);
    }

    PodClaimObservation observe(VolumeKey key) {
        @Nullable Pod pod = caches.pod(key.pod()).orElse(null);
        return new PodClaimObservation(
                key,
                pod,
                pod == null ? null : claim(pod, key.volume()),
                state.get(key),
                state.failure(key).orElse(null),
                time.now());
    }

    Outcome act(PodClaimStep step) {
        return switch (step) {
            case PodClaimStep.ReportProblem report -> report(report);
            case PodClaimStep.Authorize authorize -> authorize(authorize);
            case PodClaimStep.CreateClaim create -> create(create);
        };
    }

    private Outcome report(PodClaimStep.ReportProblem step) {
        events.warning(
                step.pod(), step.problem().reason(), ACTION, step.problem().message());
        state.update(step.key(), old -> old.withReported(step.problem()));
        return Outcome.progress();
    }

    private Outcome authorize(PodClaimStep.Authorize step) {
        String account = VolumeRequest.serviceAccount(step.pod());
        SubjectAccessReview review = writer.create(review(step.pod(), account));
        if (review.getStatus() != null && Boolean.TRUE.equals(review.getStatus().getAllowed())) {
            state.update(step.key(), old -> old.withAuthorizedInputs(step.inputs()));
            return Outcome.progress();
        }
        String message = "Service account " + account + " may not create PersistentVolumeClaims in namespace "
                + step.pod().getMetadata().getNamespace() + ", so no claim is created for its pod; grant the"
                + " permission, or remove the annotations";
        // A permission is granted without a watch event of the pod.
        return failed(step.key(), step.inputs(), Problem.requiresUnwatchedChange(PodClaimReason.FAILED, message));
    }

    private Outcome create(PodClaimStep.CreateClaim step) {
        try {
            writer.create(step.claim());
        } catch (ApiException e) {
            return switch (e.error()) {
                // The cache lags; its next event shows who owns the claim.
                case ApiError.AlreadyExists exists -> Outcome.finish(Result.of(exists));
                // The pod is deleted with its namespace.
                case ApiError.Terminating terminating -> Outcome.finish(Result.of(terminating));
                case ApiError.Invalid _, ApiError.Forbidden _ ->
                    failed(step.key(), step.inputs(), Problem.of(e.error(), PodClaimReason.FAILED));
                case ApiError.Conflict _, ApiError.NotFound _, ApiError.Throttled _, ApiError.Unavailable _ -> throw e;
            };
        }
        metrics.bound(CLAIM, step.pod(), time.now());
        events.normal(
                step.pod(),
                PodClaimReason.PROVISIONED,
                ACTION,
                "PersistentVolumeClaim " + step.claim().getMetadata().getName() + " created for volume "
                        + step.key().volume());
        return Outcome.progress();
    }

    private Outcome failed(VolumeKey key, String inputs, Problem problem) {
        state.recordFailure(key, CREATE, inputs, problem);
        state.update(key, old -> old.withAuthorizedInputs(""));
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
