package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.util.Optional;

/**
 * All rules of claims: from what is known to the next step, without I/O. Who may decide about a claim is settled here;
 * how it goes on is in {@link Beginning}, {@link Binding} and {@link Leaving}.
 */
final class ClaimDecision {

    private final Settings settings;
    private final Beginning beginning;
    private final Binding binding;
    private final Leaving leaving;

    ClaimDecision(Settings settings, boolean orphansByPolicy) {
        this.settings = settings;
        this.beginning = new Beginning(settings);
        this.binding = new Binding(settings);
        this.leaving = new Leaving(settings, orphansByPolicy);
    }

    Decision<Step> decide(Observed observed) {
        if (!settings.serves(observed.key().namespace())) {
            return Decision.done();
        }
        Optional<ObjectBucket> bucket = observed.bucket();
        Optional<BucketIntent> intent = bucket.flatMap(recorded -> new BucketRecord(recorded).intent());
        boolean ours = intent.filter(it -> settings.provisioner().text().equals(it.provisioner()))
                .isPresent();
        if (bucket.isPresent() && !ours) {
            return Decision.done();
        }
        Optional<ObjectBucketClaim> claim = observed.claim();
        if (intent.isPresent() && !intent.get().supported()) {
            return notUnderstood(observed, intent.get());
        }
        if (claim.isEmpty() || claim.get().getMetadata().getDeletionTimestamp() != null) {
            return leaving.decide(observed, intent);
        }
        if (intent.isPresent() && bucket.isPresent()) {
            return binding.decide(observed, claim.get(), bucket.get(), intent.get());
        }
        return beginning.decide(observed, claim.get());
    }

    private Decision<Step> notUnderstood(Observed observed, BucketIntent intent) {
        Trouble trouble = Trouble.untilChange(
                "NewerIntent",
                "The ObjectBucket of this claim was written by a newer release (intent version " + intent.version()
                        + "): nothing is changed. Run that release again, or a later one.");
        return observed.claim()
                .map(claim -> show(observed, claim, trouble))
                .orElse(Decision.finish(Result.requiresChange(trouble.message())));
    }

    /** Tells the claim's owner, then rests until a change. */
    static Decision<Step> show(Observed observed, ObjectBucketClaim claim, Trouble trouble) {
        return Said.trouble(trouble, claim.phase())
                .thenRest(observed, claim, Result.requiresChange(trouble.message()));
    }

    /** A failure that stands in the way of that concern now: it is told, and waited for. */
    static Optional<Decision<Step>> heldUp(Observed observed, Step.Concern concern) {
        return failure(observed, concern).map(failure -> {
            Result rest = rest(failure, observed);
            return observed.claim()
                    .map(claim -> Said.trouble(failure.trouble(), claim.phase()).thenRest(observed, claim, rest))
                    .orElse(Decision.finish(rest));
        });
    }

    static Optional<Failure> failure(Observed observed, Step.Concern concern) {
        return observed.memory().failure().filter(failure -> failure.holds(on(observed, concern), observed.now()));
    }

    static Result rest(Failure failure, Observed observed) {
        return failure.trouble().untilChange()
                ? Result.requiresChange(failure.trouble().message())
                : Result.requeueAfter(Duration.between(observed.now(), failure.notBefore()));
    }

    static Step.Concerned on(Observed observed, Step.Concern concern) {
        return new Step.Concerned(observed.key(), concern, Inputs.of(observed));
    }
}
