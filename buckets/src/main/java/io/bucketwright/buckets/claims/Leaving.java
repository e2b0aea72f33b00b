package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.Step.Manner;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.OnNotEmpty;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A claim that is to go, or is gone: the store lets go first, then Secret, ConfigMap, ObjectBucket, claim, in that order. */
record Leaving(Settings settings, boolean orphansByPolicy) {

    /** On an ObjectBucket, by an administrator: lets the bucket be emptied that stands in the way of its claim's end. */
    static final String ON_NOT_EMPTY = "bucketwright.io/on-not-empty";

    /** On an ObjectBucket, by an administrator: the store is gone for good, so the claim may end without it. */
    static final String ABANDON = "bucketwright.io/abandon";

    Decision<Step> decide(Observed observed, Optional<BucketIntent> intent) {
        boolean orphan = observed.claim().isEmpty();
        if (observed.bucket().isPresent() && intent.isPresent()) {
            ObjectBucket bucket = observed.bucket().get();
            if (orphan && bucket.getMetadata().getDeletionTimestamp() == null) {
                // Whether it is an orphan is for the orphan controller to say, after a grace period.
                return Decision.done();
            }
            if (!observed.memory().released()) {
                return release(observed, bucket, intent.get(), orphan);
            }
        }
        return Stream.of(child(observed.secret()), child(observed.configMap()))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> observed.bucket().flatMap(Leaving::gone))
                .or(() -> observed.claim()
                        .filter(Marks::hasFinalizer)
                        .filter(claim -> isOurs(observed, claim))
                        .map(claim -> Decision.act(new Step.LetGo(claim))))
                .orElse(Decision.done());
    }

    private Decision<Step> release(Observed observed, ObjectBucket bucket, BucketIntent intent, boolean orphan) {
        if (bucket.phase() != Phase.RELEASED) {
            return Decision.act(new Step.SetBucketPhase(bucket, Phase.RELEASED));
        }
        if (annotation(bucket, ABANDON).equals("true")) {
            return Decision.act(new Step.Abandon(observed.key(), bucket, intent.bucketName()));
        }
        Manner manner = orphan && !orphansByPolicy ? Manner.REVOKE : manner(intent);
        boolean destroys = manner == Manner.DELETE || manner == Manner.ERASE;
        if (destroys && observed.sharers() > 0) {
            Trouble shared = Trouble.untilChange(
                    "BucketShared",
                    "Bucket " + intent.bucketName() + " is also used by " + observed.sharers()
                            + " other claim(s), and stays until they are gone.");
            return observed.claim()
                    .map(claim -> ClaimDecision.show(observed, claim, shared))
                    .orElse(Decision.finish(Result.requiresChange(shared.message())));
        }
        return ClaimDecision.heldUp(observed, Step.Concern.RELEASE)
                .orElseGet(() -> Decision.act(new Step.Release(
                        ClaimDecision.on(observed, Step.Concern.RELEASE), intent, manner, onNotEmpty(bucket, intent))));
    }

    /** By the intent alone: what the class is today, and whether it is there at all, does not matter. */
    static Manner manner(BucketIntent intent) {
        if (intent.bucketOrigin().orElse(BucketOrigin.EXISTING) == BucketOrigin.EXISTING) {
            boolean named = !intent.parameters()
                    .getOrDefault(ClassParameters.BUCKET_NAME, "")
                    .isBlank();
            return named ? Manner.REVOKE : Manner.UNADOPT;
        }
        return switch (intent.policy().orElse(ReclaimPolicy.RETAIN)) {
            case DELETE -> Manner.DELETE;
            case RETAIN -> Manner.RETAIN;
            case ERASE -> Manner.ERASE;
            case SUSPEND -> Manner.SUSPEND;
        };
    }

    private static OnNotEmpty onNotEmpty(ObjectBucket bucket, BucketIntent intent) {
        String word = annotation(bucket, ON_NOT_EMPTY);
        String policy = intent.parameters().getOrDefault(ClassParameters.ON_NOT_EMPTY, "");
        return word.equalsIgnoreCase("purge") || policy.strip().equalsIgnoreCase("purge")
                ? OnNotEmpty.PURGE
                : OnNotEmpty.BLOCK;
    }

    private static String annotation(ObjectBucket bucket, String key) {
        @Nullable Map<String, String> annotations = bucket.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(key, "");
    }

    private static Optional<Decision<Step>> child(Child<?> child) {
        return child instanceof Child.Ours<?> ours ? gone(ours.bare()) : Optional.empty();
    }

    /** The next step towards the end of an object; empty if others keep it, or nothing is left to do. */
    private static Optional<Decision<Step>> gone(HasMetadata object) {
        if (Marks.hasFinalizer(object)) {
            return Optional.of(Decision.act(new Step.LetGo(object)));
        }
        return object.getMetadata().getDeletionTimestamp() == null
                ? Optional.of(Decision.act(new Step.Delete(object)))
                : Optional.empty();
    }

    /** The finalizer's name is everybody's: it is ours where the bucket, the class or our own note on the claim says so. */
    private boolean isOurs(Observed observed, ObjectBucketClaim claim) {
        return switch (observed.bucketClass()) {
            case ClassView.Ours _, ClassView.Unusable _, ClassView.TwoDefaults _ -> true;
            case ClassView.Missing _, ClassView.Foreign _ ->
                observed.bucket().isPresent()
                        || observed.memory().released()
                        || Marks.provisioner(claim)
                                .equals(settings.provisioner().text());
        };
    }
}
