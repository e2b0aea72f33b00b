package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.store.options.AppliedOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps that write claims and ObjectBuckets to the API server. */
record ApiServerActs(
        ApiWriter writer,
        ObjectReader reader,
        EventRecorder events,
        InFlightState<ObjectKey, ClaimState> states,
        RoleMetrics metrics,
        TimeSource time) {

    private static final String BIND = "Bind";
    private static final String RELEASE = "Release";

    /** Whether a claim of that name exists, with any uid. If so, the next decision keeps the bucket of the former claim. */
    boolean isNameInUse(ObjectKey key) {
        boolean inUse = reader.read(ObjectBucketClaim.class, key.namespace(), key.name())
                .isPresent();
        if (inUse) {
            states.update(key, state -> state.with(Fact.NAME_IN_USE));
        }
        return inUse;
    }

    Outcome act(ClaimStep.ApiStep step) {
        switch (step) {
            case ClaimStep.RecordIntent(ObjectKey key, ObjectBucket bucket) -> {
                create(bucket);
                states.update(key, state -> state.with(Fact.INTENT_CREATED));
            }
            case ClaimStep.Patch(HasMetadata object, Map<String, ?> fields) -> writer.merge(object, fields);
            case ClaimStep.RevertReclaimPolicy(ObjectBucket bucket, Map<String, ?> fields, String recorded) -> {
                @Nullable String changed = bucket.getSpec().reclaimPolicy();
                writer.merge(bucket, fields);
                events.warning(
                        bucket,
                        ClaimReason.RECLAIM_POLICY_REVERTED,
                        RELEASE,
                        "spec.reclaimPolicy of this ObjectBucket was changed to "
                                + SafeText.quoted(changed == null ? "" : changed) + ". " + effective(fields, recorded));
            }
            case ClaimStep.OpenOptions(ObjectKey key, RecordedBucket bucket, AppliedOptions options) -> {
                writer.merge(bucket.object(), ObjectBucketContent.withOptionsToSet(options));
                if (!bucket.options().isEmpty()) {
                    states.update(key, state -> state.with(Fact.OPTIONS_OPENED));
                }
            }
            case ClaimStep.UpdateRecord(ObjectKey key, ObjectBucket bucket, Map<String, ?> fields) -> {
                writer.merge(bucket, fields);
                states.update(key, ClaimState::withRecorded);
            }
            case ClaimStep.SetBucketPhase(ObjectBucket bucket, Phase phase) ->
                writer.mergeStatus(bucket, Map.of("phase", phase.text()));
            case ClaimStep.SetClaimStatus(ObjectKey key, ObjectBucketClaim claim, ClaimStatus status) -> {
                writer.mergeStatus(claim, status.fields(claim, time.now()));
                states.update(key, state -> state.withReported(status.summary(claim)));
                if (status.phase() == Phase.BOUND
                        && (claim.phase() == Phase.PENDING || claim.phase() == Phase.FAILED)) {
                    metrics.bound(ClaimMetrics.KIND, claim, time.now());
                }
                send(claim, status.ready());
            }
            case ClaimStep.SendEvent event -> {
                String action = event.object() instanceof ObjectBucket ? RELEASE : BIND;
                events.warning(event.object(), event.reason(), action, event.message());
                states.update(event.key(), state -> state.withReported(event.summary()));
            }
            case ClaimStep.ReportOrphan(ObjectKey key, RecordedBucket bucket, String nextSteps) -> {
                events.warning(
                        bucket.object(),
                        ClaimReason.ORPHANED,
                        RELEASE,
                        "The claim " + key + " of this ObjectBucket no longer exists, although the controller did not"
                                + " remove its finalizer. " + nextSteps);
                states.update(key, state -> state.with(Fact.ORPHAN_REPORTED));
            }
            case ClaimStep.Abandon(ObjectKey key, RecordedBucket bucket) -> {
                events.warning(
                        bucket.object(),
                        ClaimReason.ABANDONED,
                        RELEASE,
                        "Because of the annotation " + ObjectBucketNames.ABANDON_ANNOTATION + ", bucket "
                                + bucket.intent().bucketName()
                                + " and its user stay in the store. Nothing in this cluster manages them any more.");
                states.update(key, ClaimState::withReleased);
                states.clearFailure(key);
            }
            case ClaimStep.ReleaseChild(ObjectKey key, HasMetadata child) -> {
                writer.merge(child, ClaimMetadata.withoutFinalizer(child));
                states.update(key, state -> state.withFound(child.getClass()));
            }
            case ClaimStep.Delete(HasMetadata object) -> writer.delete(object);
        }
        return Outcome.progress();
    }

    /** Sends an event about a problem that cannot be in the claim's status. */
    void warn(ObjectBucketClaim claim, Problem problem) {
        events.warning(claim, problem.reason(), BIND, problem.message());
    }

    private void create(ObjectBucket bucket) {
        try {
            writer.create(bucket);
        } catch (ApiException e) {
            @Nullable String policy = bucket.getSpec().reclaimPolicy();
            boolean unknownToSomeSchemas = ReclaimPolicy.ERASE.text().equals(policy)
                    || ReclaimPolicy.SUSPEND.text().equals(policy);
            if (!(e.error() instanceof ApiError.Invalid) || !unknownToSomeSchemas) {
                throw e;
            }
            writer.create(ObjectBucketContent.withKnownPolicy(bucket));
        }
    }

    private void send(ObjectBucketClaim claim, ReadyCondition ready) {
        if (ready.informational()) {
            events.normal(claim, ready.reason(), BIND, ready.message());
        } else {
            events.warning(claim, ready.reason(), BIND, ready.message());
        }
    }

    /** Some schemas have no value for all policies; the field is then Retain, whatever policy applies. */
    private static String effective(Map<String, ?> fields, String recorded) {
        boolean isInField = fields.get("spec") instanceof Map<?, ?> spec && recorded.equals(spec.get("reclaimPolicy"));
        return isInField
                ? "It is " + recorded + " again. Only a change to Retain is accepted."
                : "The policy of this bucket is still " + recorded
                        + ". The field is Retain again, because the CustomResourceDefinition does not allow " + recorded
                        + ". To keep the bucket and its objects, annotate the ObjectBucket with "
                        + ObjectBucketNames.ABANDON_ANNOTATION + "=true before the claim is deleted.";
    }
}
