package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Map;
import java.util.Optional;

/** Observe, decide and act, for Buckets. */
record BucketLoop(
        SidecarCaches caches,
        ProvisionerSecrets secrets,
        DriverLink link,
        Memory memory,
        TimeSource time,
        BucketDecision decision,
        BucketActs acts)
        implements DecisionLoop<ObjectKey, BucketObserved, BucketStep> {

    @Override
    public BucketObserved observe(ObjectKey key) {
        Optional<Bucket> bucket = caches.bucket(key.name(), key.uid());
        SecretView secret = bucket.map(secrets::of).orElseGet(() -> new SecretView.Usable("", Map.of()));
        return new BucketObserved(
                key,
                bucket,
                bucket.map(caches::accessesOf).orElse(0L),
                new Surroundings(link.state(), link.connection(), secret),
                memory.of(key),
                time.now());
    }

    @Override
    public Decision<BucketStep> decide(BucketObserved observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(BucketStep step) {
        return switch (step) {
            case BucketStep.Create create -> acts.create(create);
            case BucketStep.Fill fill -> acts.fill(fill);
            case BucketStep.Delete delete -> acts.delete(delete);
            case BucketStep.Say say -> acts.say(say);
        };
    }
}
