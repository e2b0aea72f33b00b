package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccessPhase;
import io.bucketwright.api.cosi.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.BucketRequestPhase;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.cosi.controller.Operations.Operation;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an object's status should say.
 *
 * @param reason one word, of the condition and of the event
 * @param passing whether the message may differ from try to try, so that it is not worth a write of its own
 */
record Said(String phase, boolean ready, String reason, String message, boolean passing) {

    static final String READY = "Ready";

    /** A second condition: it was bound once, whatever came after. */
    static final String BOUND = "Bound";

    /** The words that people who know the reference implementation look for in events. */
    static final String FAILED_CREATE_BUCKET = "FailedCreateBucket";

    static final String FAILED_DELETE_BUCKET = "FailedDeleteBucket";
    static final String WAITING_FOR_BUCKET = "WaitingForBucket";
    static final String FAILED_GRANT_ACCESS = "FailedGrantAccess";
    static final String FAILED_REVOKE_ACCESS = "FailedRevokeAccess";

    private static final Set<String> CALM = Set.of("Revoking", "DeletingBucket", "WaitingForAccessRequest");

    static Said of(BucketRequestPhase phase, String reason, String message) {
        return new Said(phase.text(), phase == BucketRequestPhase.BOUND, reason, message, false);
    }

    static Said of(BucketAccessRequestPhase phase, String reason, String message) {
        return new Said(phase.text(), phase == BucketAccessRequestPhase.BOUND, reason, message, false);
    }

    static Said of(BucketAccessPhase phase, String reason, String message) {
        return new Said(phase.text(), phase == BucketAccessPhase.BOUND, reason, message, false);
    }

    /** The same with a message that others wrote, and may write anew with every try. */
    Said inPassing() {
        return new Said(phase, ready, reason, message, true);
    }

    /** Whether it tells of progress, and nobody needs to do anything. */
    boolean isCalm() {
        return CALM.contains(reason);
    }

    /** Says it unless that is said already, then rests. */
    Decision<Step> thenRest(CustomResource<?, CosiStatus> object, Instant now, Result rest) {
        return thenRest(object, now, rest, Operation.NONE);
    }

    /** As above, and it is the end of something a user asked for. */
    Decision<Step> thenRest(CustomResource<?, CosiStatus> object, Instant now, Result rest, Operation ended) {
        if (isShownBy(object)) {
            return Decision.finish(rest);
        }
        return Decision.act(new Step.Say(object, this, condition(object, now), ended));
    }

    boolean isShownBy(CustomResource<?, CosiStatus> object) {
        CosiStatus status = status(object);
        Optional<Condition> shown = status.condition(READY);
        return status.phase().equals(phase)
                && shown.isPresent()
                && shown.get().getStatus().equals(readyText())
                && shown.get().getReason().equals(reason)
                && (passing || status.message().equals(message))
                && object.getMetadata().getGeneration().equals(shown.get().getObservedGeneration());
    }

    private Condition condition(CustomResource<?, CosiStatus> object, Instant now) {
        String since = status(object)
                .condition(READY)
                .filter(old -> old.getStatus().equals(readyText()))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(READY)
                .withStatus(readyText())
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .withObservedGeneration(object.getMetadata().getGeneration())
                .build();
    }

    private String readyText() {
        return ready ? "True" : "False";
    }

    private static CosiStatus status(CustomResource<?, CosiStatus> object) {
        @Nullable CosiStatus status = object.getStatus();
        return status == null ? CosiStatus.NONE : status;
    }
}
