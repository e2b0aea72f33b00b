package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiPhase;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The phase and the condition Ready that an object should show. */
record CosiCondition(CosiPhase phase, ReadyCondition ready) {

    /** Type of a second condition: the object was Bound once, whatever its phase is now. Also the reason of success. */
    private static final String BOUND = CosiReason.BOUND;

    /** What error phases begin with. */
    private static final String ERROR = "Err";

    /** Reasons of success or progress: nobody has to act. */
    private static final Set<String> INFORMATIONAL = Set.of(
            BOUND,
            CosiReason.IN_PROGRESS,
            CosiReason.REVOKING,
            CosiReason.DELETING_BUCKET,
            CosiReason.WAITING_FOR_ACCESS_REQUEST);

    /** Error phases that end by themselves when another object appears or disappears: tools create objects in any order. */
    private static final Set<CosiPhase> WAITING = Set.of(
            BucketRequestPhase.BUCKET_CLASS_NOT_FOUND,
            BucketRequestPhase.NO_DEFAULT_BUCKET_CLASS,
            BucketRequestPhase.BUCKET_NOT_FOUND,
            BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS,
            BucketAccessRequestPhase.BUCKET_REQUEST_NOT_FOUND,
            BucketAccessRequestPhase.BUCKET_ACCESS_CLASS_NOT_FOUND,
            BucketAccessRequestPhase.BUCKET_DELETION_IN_PROGRESS);

    /** Outcomes of an access that are reported elsewhere. */
    private static final Set<String> REPORTED_ELSEWHERE =
            Set.of(BOUND, CosiReason.FAILED_GRANT_ACCESS, CosiReason.FAILED_REVOKE_ACCESS);

    /**
     * Whether the controller records no event about this outcome of a BucketAccess: the sidecar reports failures, and that it
     * is Bound is an event of the BucketAccessRequest.
     */
    static boolean isReportedElsewhere(String reason) {
        return REPORTED_ELSEWHERE.contains(reason);
    }

    public static CosiCondition of(CosiPhase phase, String reason, String message) {
        boolean bound = phase.text().equals(BucketAccessPhase.BOUND.text());
        return new CosiCondition(
                phase,
                new ReadyCondition(bound, reason, message, INFORMATIONAL.contains(reason), false, isStalled(phase)));
    }

    /** Whether the object requires a change before it can become ready. */
    private static boolean isStalled(CosiPhase phase) {
        return phase == BucketAccessPhase.FAILED
                || phase == BucketAccessPhase.RELEASED
                || (phase.text().startsWith(ERROR) && !WAITING.contains(phase));
    }

    public static CosiCondition bound(CosiPhase phase, String message) {
        return of(phase, BOUND, message);
    }

    /** Of an error phase, whose text without {@code Err} is the reason. */
    public static CosiCondition error(CosiPhase phase, String message) {
        return of(phase, phase.text().substring(ERROR.length()), message);
    }

    /** Of a request that is not served; it keeps its phase. */
    public static CosiCondition tooLarge(CosiPhase phase, Problem problem) {
        return new CosiCondition(phase, ReadyCondition.of(problem));
    }

    /** Whether the object was Bound once. */
    public static boolean wasBound(CustomResource<?, CosiStatus> object) {
        return status(object).condition(BOUND).isPresent();
    }

    /** Nothing is to be done or reported. If the object still shows an error, its cause is over: replaces it by progress. */
    public static Decision<ControllerStep> inProgress(
            CosiPhase phase, CustomResource<?, CosiStatus> object, String message) {
        boolean showsError = status(object)
                .condition(ReadyCondition.TYPE)
                .filter(shown -> !"True".equals(shown.getStatus()) && !INFORMATIONAL.contains(shown.getReason()))
                .isPresent();
        return showsError ? of(phase, CosiReason.IN_PROGRESS, message).report(object) : Decision.done();
    }

    /** Writes the status unless the object already shows it, then finishes. */
    public Decision<ControllerStep> report(CustomResource<?, CosiStatus> object) {
        return report(object, Result.done(), Operation.NONE);
    }

    /**
     * Writes the status unless the object already shows it, then finishes.
     *
     * @param completed the operation that ends with this write, for the metrics
     */
    public Decision<ControllerStep> report(CustomResource<?, CosiStatus> object, Result result, Operation completed) {
        CosiStatus status = status(object);
        boolean shown = status.phase().equals(phase.text()) && ready.isReportedIn(status.conditions(), object);
        return shown ? Decision.finish(result) : Decision.act(new ControllerStep.UpdateStatus(object, this, completed));
    }

    /** The status to write. */
    Map<String, ?> toStatus(CustomResource<?, CosiStatus> object, Instant now) {
        List<Condition> conditions = ready.replaceIn(status(object).conditions(), object, now);
        if (ready.ready() && !wasBound(object)) {
            conditions.add(
                    new ConditionBuilder(conditions.getLast()).withType(BOUND).build());
        }
        return Map.of(
                "phase", phase.text(),
                "message", ready.message(),
                "conditions", conditions,
                "observedGeneration", object.getMetadata().getGeneration());
    }

    private static CosiStatus status(CustomResource<?, CosiStatus> object) {
        @Nullable CosiStatus status = object.getStatus();
        return status == null ? CosiStatus.NONE : status;
    }
}
