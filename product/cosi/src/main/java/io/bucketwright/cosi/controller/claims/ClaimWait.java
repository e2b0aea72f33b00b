package io.bucketwright.cosi.controller.claims;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** What a claim waits for: decisions that need time to pass first, and reports that are made once. */
record ClaimWait(BucketClaimView view) {

    /**
     * Longer than a watch lags behind, and than a sidecar takes between its writes: then nobody else makes the write that this
     * controller could make instead. Objects are applied and deleted together, too, but observed one by one.
     */
    static final Duration OBSERVED = Duration.ofSeconds(3);

    /** Longer than a call to a driver takes. */
    static final Duration SLOW = Duration.ofSeconds(30);

    /** Decides that way once the claim has waited for it that long. */
    Decision<BucketClaimStep> after(Duration length, String reason, Supplier<Decision<BucketClaimStep>> decision) {
        if (!view.state().waitingFor().equals(reason)) {
            return Decision.act(new BucketClaimStep.Wait(view.claim(), reason));
        }
        return after(length.minus(view.moment().since(view.state().since())), length, decision);
    }

    /** Decides that way once that much time has passed since then. */
    Decision<BucketClaimStep> after(Duration length, Instant since, Supplier<Decision<BucketClaimStep>> decision) {
        return after(Duration.between(view.now(), since.plus(length)), length, decision);
    }

    private static Decision<BucketClaimStep> after(
            Duration left, Duration longest, Supplier<Decision<BucketClaimStep>> decision) {
        return left.isPositive() ? Decision.finish(Result.requeueAfter(left, longest)) : decision.get();
    }

    /** Reports a problem that requires a change. */
    Decision<BucketClaimStep> requiresChange(String reason, String message) {
        return report(
                reason, message, true, Problem.requiresChange(reason, message).result());
    }

    /** Reports what is under way. */
    Decision<BucketClaimStep> pending(String reason, String message, boolean warning) {
        return report(reason, message, warning, Result.pending());
    }

    Decision<BucketClaimStep> report(String reason, String message, boolean warning, Result result) {
        return view.state().hasReported(reason, message)
                ? Decision.finish(result)
                : Decision.act(new BucketClaimStep.Report(view.claim(), reason, message, warning));
    }
}
