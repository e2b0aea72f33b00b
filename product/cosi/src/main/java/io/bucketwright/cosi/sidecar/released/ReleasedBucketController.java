package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.ConcurrencyLimits;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Observes, decides and acts for Buckets of {@code objectstorage.k8s.io}. */
final class ReleasedBucketController {

    private final ReleasedContext context;
    private final ApiWriter writer;
    private final EventRecorder events;
    /** Limits the calls of each method: slow creations must not hold up deletions. */
    private final ConcurrencyLimits<ObjectKey> calls;

    private final InFlightState<ObjectKey, ReleasedBucketState> inFlight;

    private ReleasedBucketController(ReleasedContext context) {
        this.context = context;
        this.writer = context.runtime().writer();
        this.events = context.runtime().events();
        this.inFlight = context.runtime().inFlight(ReleasedBucketState.NONE);
        this.calls = ConcurrencyLimits.forWorkers(context.workers());
    }

    /** Registers the controller with the process. */
    static void register(ReleasedContext context) {
        ReleasedBucketController loop = new ReleasedBucketController(context);
        ReleasedSidecarCaches caches = context.caches();
        Controller<ObjectKey> controller = context.runtime()
                .controller(
                        "objectstorage-bucket-sidecar",
                        loop::observe,
                        ReleasedBucketDecision::decide,
                        loop.inFlight,
                        ReleasedBucketStep.class,
                        loop::act)
                .workers(context.workers())
                .tenants(key -> caches.buckets
                        .get("", key.name())
                        .map(ReleasedBucket::getSpec)
                        .map(spec -> spec.bucketClaim().getNamespace()))
                .limits(loop.calls)
                .watch(caches.buckets, Function.identity())
                .watchRelated(caches.claims, caches::bucketKeysOf)
                .watchRelated(caches.accesses, caches::bucketKeysOf);
        context.driver()
                .onChange(() -> caches.buckets.list().stream()
                        .filter(caches::isServed)
                        .forEach(bucket -> controller.add(ObjectKey.of(bucket))));
    }

    private ReleasedBucketObservation observe(ObjectKey key) {
        ReleasedSidecarCaches caches = context.caches();
        Optional<ReleasedBucket> bucket = caches.bucket(key);
        Optional<ReleasedBucket> deleted = caches.deleted(key);
        return new ReleasedBucketObservation(
                bucket,
                deleted,
                bucket.or(() -> deleted).flatMap(caches::claimOf),
                bucket.map(this::accessesOf).orElse(List.of()),
                context.preconditions(),
                inFlight.get(key),
                inFlight.failure(key),
                context.runtime().time().now());
    }

    private List<ReleasedBucketAccess> accessesOf(ReleasedBucket bucket) {
        return context.caches()
                .accessesOf(bucket)
                .filter(access -> Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER))
                .toList();
    }

    private Outcome act(ObjectKey key, ReleasedBucketStep step) {
        return switch (step) {
            case ReleasedBucketStep.Protect protect -> protect(protect);
            case ReleasedBucketStep.RecordNameInUse(ReleasedBucket bucket) ->
                replace(
                        bucket,
                        ReleasedUpdates.annotation(ReleasedNames.CREATE_ATTEMPT, ReleasedNames.ATTEMPT_NAME_IN_USE),
                        state -> state.withNameInUse(false));
            case ReleasedBucketStep.Create create ->
                calls.act(DriverMethod.CREATE_BUCKET, key, () -> create(key, create));
            case ReleasedBucketStep.Delete delete ->
                calls.act(DriverMethod.DELETE_BUCKET, key, () -> delete(key, delete));
            case ReleasedBucketStep.WriteStatus write -> writeStatus(write);
            case ReleasedBucketStep.MarkClaimReady(BucketClaim claim, ReleasedBucket bucket) -> {
                BucketClaim _ = writer.replaceStatus(ReleasedUpdates.with(
                        claim, new BucketClaimStatus(true, bucket.getMetadata().getName())));
                yield Outcome.progress();
            }
            case ReleasedBucketStep.DeleteAccess(ReleasedBucketAccess access) -> {
                writer.deleteAnyVersion(access);
                yield Outcome.progress();
            }
            case ReleasedBucketStep.SkipDelete skip -> skipDelete(skip);
            case ReleasedBucketStep.RemoveClaimFinalizer(BucketClaim claim) -> {
                BucketClaim _ = writer.replace(
                        claim,
                        whole -> ReleasedUpdates.changed(
                                whole, ReleasedUpdates.withoutFinalizers(ReleasedNames.CLAIM_FINALIZER)));
                yield Outcome.progress();
            }
            case ReleasedBucketStep.RemoveFinalizers remove -> removeFinalizers(remove);
            case ReleasedBucketStep.Forget(ObjectKey deleted) -> {
                context.caches().forgetDeleted(deleted);
                yield Outcome.progress();
            }
            case ReleasedBucketStep.Report report -> report(key, report);
        };
    }

    private Outcome protect(ReleasedBucketStep.Protect step) {
        Consumer<ObjectMeta> finalizers =
                ReleasedUpdates.finalizers(ReleasedNames.BUCKET_FINALIZER, ReleasedNames.ACCESSED_BUCKET_FINALIZER);
        boolean first = step.attempt() && !ReleasedBucketDecision.isNameInUse(step.bucket());
        return first
                ? replace(
                        step.bucket(),
                        finalizers.andThen(ReleasedUpdates.annotation(
                                ReleasedNames.CREATE_ATTEMPT, ReleasedNames.ATTEMPT_RECORDED)),
                        ReleasedBucketState::afterRecord)
                : replace(step.bucket(), finalizers, UnaryOperator.identity());
    }

    private Outcome create(ObjectKey key, ReleasedBucketStep.Create step) {
        ReleasedBucket bucket = step.bucket();
        boolean first = inFlight.get(key).recordedHere();
        inFlight.update(key, ReleasedBucketState::beforeCreate);
        String name = bucket.getMetadata().getName();
        return context.driver()
                .driver()
                .create(ReleasedOrders.create(bucket), () -> inFlight.remaining(key))
                .outcome(
                        created -> succeeded(
                                bucket, state -> state.withId(created.id().orElse(name))),
                        problem -> createFailed(step, problem, first));
    }

    /**
     * Some drivers answer that the bucket exists, although it is the one of this Bucket: then the attempt was recorded
     * earlier, and the id is the name.
     */
    private void createFailed(ReleasedBucketStep.Create step, Problem problem, boolean first) {
        ReleasedBucket bucket = step.bucket();
        boolean exists = problem.reason().equals(ProvisionerReason.ALREADY_EXISTS.text());
        boolean foreign = first || ReleasedBucketDecision.isNameInUse(bucket);
        if (exists && !foreign) {
            succeeded(bucket, state -> state.withId(bucket.getMetadata().getName()));
            return;
        }
        failed(bucket, DriverMethod.CREATE_BUCKET, step.inputs(), explained(problem, exists, first));
        inFlight.update(
                ObjectKey.of(bucket),
                state -> Metadata.isBeingDeleted(bucket) && !isAmbiguous(problem)
                        ? state.withUnknownId()
                        : state.withNameInUse(exists && first));
    }

    private static Problem explained(Problem problem, boolean exists, boolean first) {
        if (exists) {
            return Problem.retryable(problem.reason(), problem.message() + nameInUse());
        }
        return first || isAmbiguous(problem)
                ? problem
                : new Problem(problem.reason(), problem.message() + mayExist(), problem.recovery());
    }

    /** Some drivers do not return the id of a bucket that exists, and with this error it cannot be guessed. */
    private static String mayExist() {
        return " An earlier call may have created the bucket. If the store has it, write its id to"
                + " spec.existingBucketID of the Bucket. For deletionPolicy Delete, also set the annotation "
                + ReleasedNames.DELETE_EXISTING_BUCKET + " of the Bucket to true.";
    }

    private static String nameInUse() {
        return " A bucket of this name existed in the store before, so it is not used. Delete that bucket in the store."
                + " Or, if it belongs to this Bucket, set the annotation " + ReleasedNames.CREATE_ATTEMPT
                + " of the Bucket to "
                + ReleasedNames.ATTEMPT_RECORDED + ".";
    }

    private Outcome delete(ObjectKey key, ReleasedBucketStep.Delete step) {
        return context.driver()
                .driver()
                .delete(ReleasedOrders.delete(step.bucket(), step.id()), () -> inFlight.remaining(key))
                .removalOutcome(
                        () -> succeeded(step.bucket(), ReleasedBucketState::afterDelete),
                        problem -> deleteFailed(step, problem));
    }

    private void deleteFailed(ReleasedBucketStep.Delete step, Problem problem) {
        failed(step.bucket(), DriverMethod.DELETE_BUCKET, step.inputs(), problem);
        inFlight.update(
                ObjectKey.of(step.bucket()),
                state -> state.withDeletion(false, state.deletingHere() && !isAmbiguous(problem)));
    }

    /** Whether the driver may have done what it was asked to do. */
    static boolean isAmbiguous(Problem problem) {
        return problem.reason().equals(ProvisionerReason.DRIVER_TIMEOUT.text())
                || problem.reason().equals(ProvisionerReason.DRIVER_UNAVAILABLE.text());
    }

    private Outcome writeStatus(ReleasedBucketStep.WriteStatus step) {
        ReleasedBucket _ = writer.replaceStatus(
                ReleasedUpdates.with(step.bucket(), new ReleasedBucketStatus(step.ready(), step.id())));
        inFlight.update(ObjectKey.of(step.bucket()), state -> state.withDeletion(!step.ready(), false));
        return Outcome.progress();
    }

    private Outcome skipDelete(ReleasedBucketStep.SkipDelete step) {
        warn(
                step.bucket(),
                DriverMethod.DELETE_BUCKET,
                DriverMethod.DELETE_BUCKET.rpc(),
                step.cause()
                        + " An earlier call may have deleted it, so the Bucket is released. If the store has a bucket "
                        + step.id() + ", delete it there.");
        succeeded(step.bucket(), ReleasedBucketState::afterDelete);
        return Outcome.progress();
    }

    private Outcome removeFinalizers(ReleasedBucketStep.RemoveFinalizers step) {
        if (step.retained()) {
            events.normal(
                    step.bucket(),
                    ReleasedReason.BUCKET_RETAINED,
                    DriverMethod.DELETE_BUCKET.rpc(),
                    "Bucket " + step.bucket().status().bucketID()
                            + " stays in the store with its data: deletionPolicy is not Delete.");
        }
        return replace(
                step.bucket(),
                ReleasedUpdates.withoutFinalizers(
                        ReleasedNames.BUCKET_FINALIZER, ReleasedNames.ACCESSED_BUCKET_FINALIZER),
                _ -> ReleasedBucketState.NONE);
    }

    private Outcome report(ObjectKey key, ReleasedBucketStep.Report step) {
        Problem problem = step.problem();
        Problem reported = new Problem(step.method().eventReason(), problem.message(), problem.recovery());
        if (inFlight.report(key, reported)) {
            warn(step.bucket(), step.method(), problem.reason(), problem.message());
            step.claim().ifPresent(claim -> warn(claim, step.method(), problem.reason(), problem.message()));
        }
        return Outcome.finish(step.result());
    }

    private void warn(HasMetadata object, DriverMethod method, String action, String message) {
        events.warning(object, method.eventReason(), action, message);
    }

    private Outcome replace(
            ReleasedBucket bucket, Consumer<ObjectMeta> change, UnaryOperator<ReleasedBucketState> written) {
        ReleasedBucket _ = writer.replace(bucket, whole -> ReleasedUpdates.changed(whole, change));
        inFlight.update(ObjectKey.of(bucket), written);
        return Outcome.progress();
    }

    private void failed(ReleasedBucket bucket, DriverMethod method, String inputs, Problem problem) {
        inFlight.recordFailure(ObjectKey.of(bucket), method, inputs, problem);
    }

    private void succeeded(ReleasedBucket bucket, UnaryOperator<ReleasedBucketState> change) {
        inFlight.update(ObjectKey.of(bucket), change);
        inFlight.clearFailure(ObjectKey.of(bucket));
    }
}
