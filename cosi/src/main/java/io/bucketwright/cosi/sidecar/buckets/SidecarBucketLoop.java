package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.SidecarCaches;

import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;

import io.bucketwright.cosi.sidecar.driver.ProvisionerSecrets;

import io.bucketwright.cosi.sidecar.driver.Memory;

import io.bucketwright.cosi.sidecar.driver.DriverConnection;





import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import java.util.Map;
import java.util.Optional;

/** Observe, decide and act, for Buckets. */
public record SidecarBucketLoop(
        SidecarCaches caches,
        ProvisionerSecrets secrets,
        DriverConnection link,
        Memory memory,
        TimeSource time,
        SidecarBucketDecision decision,
        SidecarBucketActs acts)
        implements DecisionLoop<ObjectKey, ObservedBucket, SidecarBucketStep> {

    @Override
    public ObservedBucket observe(ObjectKey key) {
        Optional<Bucket> bucket = caches.bucket(key.name(), key.uid());
        ProvisionerSecret secret = bucket.map(secrets::of).orElseGet(() -> new ProvisionerSecret.Usable("", Map.of()));
        return new ObservedBucket(
                key,
                bucket,
                bucket.map(caches::accessesOf).orElse(0L),
                new DriverPreconditions(link.state(), link.connection(), secret),
                memory.of(key),
                time.now());
    }

    @Override
    public Decision<SidecarBucketStep> decide(ObservedBucket observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(SidecarBucketStep step) {
        return switch (step) {
            case SidecarBucketStep.Create create -> acts.create(create);
            case SidecarBucketStep.Fill fill -> acts.fill(fill);
            case SidecarBucketStep.Delete delete -> acts.delete(delete);
            case SidecarBucketStep.Say say -> acts.say(say);
        };
    }
}
