package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimOfBucket;
import io.bucketwright.buckets.orphans.OrphanRules.Observed;
import io.bucketwright.buckets.orphans.OrphanRules.Step;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Looks at ObjectBuckets and claims; remembers only when it first saw each orphan. */
final class OrphanLoop implements DecisionLoop<OrphanKey, Observed, Step> {

    private final ControllerContext parts;
    private final OrphanRules rules;
    private final ObjectCache<ObjectBucketClaim> claims;
    private final ObjectCache<ObjectBucket> buckets;
    private final Index<ObjectBucket> byClaim;
    private final ApiWriter writer;
    private final Map<ObjectKey, Instant> noticed = new ConcurrentHashMap<>();

    OrphanLoop(
            ControllerContext parts,
            OrphanRules rules,
            ObjectCache<ObjectBucketClaim> claims,
            ObjectCache<ObjectBucket> buckets,
            Index<ObjectBucket> byClaim) {
        this.parts = parts;
        this.rules = rules;
        this.claims = claims;
        this.buckets = buckets;
        this.byClaim = byClaim;
        this.writer = parts.connection().writer(parts.leadership(), parts.caches());
    }

    @Override
    public Observed observe(OrphanKey key) {
        Optional<Instant> since = Optional.ofNullable(noticed.get(key.object()));
        Instant now = parts.time().now();
        return switch (key) {
            case OrphanKey.Bucket(ObjectKey object) -> {
                Optional<ObjectBucket> bucket = buckets.get("", object.name()).filter(object::names);
                Optional<ObjectKey> claim = bucket.flatMap(ClaimOfBucket::of);
                boolean inUse = claim.flatMap(it -> claims.get(it.namespace(), it.name()))
                        .isPresent();
                yield new Observed.Bucket(bucket, claim, inUse, since, now);
            }
            case OrphanKey.Claim(ObjectKey object) -> {
                Optional<ObjectBucketClaim> claim =
                        claims.get(object.namespace(), object.name()).filter(object::names);
                boolean named = claim.flatMap(it -> it.getSpec().objectBucket())
                        .flatMap(name -> buckets.get("", name))
                        .isPresent();
                yield new Observed.Claim(
                        claim, named || !byClaim.get(object.uid()).isEmpty(), since, now);
            }
        };
    }

    @Override
    public Decision<Step> decide(Observed observed) {
        return rules.decide(observed);
    }

    @Override
    public Outcome act(Step step) {
        switch (step) {
            case Step.Report(ObjectKey key, ObjectBucket bucket, ObjectKey claim) -> {
                parts.events()
                        .warning(
                                bucket,
                                "Orphaned",
                                "FindOrphans",
                                "The claim " + claim + " of this ObjectBucket is gone. " + announcement());
                noticed.put(key, parts.time().now());
            }
            case Step.ReportClaim(ObjectKey key, ObjectBucketClaim claim) -> {
                parts.events()
                        .warning(
                                claim,
                                "ObjectBucketGone",
                                "FindOrphans",
                                "The ObjectBucket "
                                        + claim.getSpec().objectBucket().orElse("")
                                        + " of this claim is gone: delete the claim, and make a new one if a bucket is needed.");
                noticed.put(key, parts.time().now());
            }
            case Step.Remove(ObjectBucket bucket, ObjectKey claim) -> {
                noticed.remove(ObjectKey.of(bucket));
                if (isGone(parts.connection()
                        .reader()
                        .resources(ObjectBucketClaim.class)
                        .inNamespace(claim.namespace())
                        .withName(claim.name()))) {
                    writer.delete(bucket);
                } else {
                    return Outcome.finish(Result.done());
                }
            }
            case Step.Release(ObjectBucketClaim claim) -> {
                noticed.remove(ObjectKey.of(claim));
                if (isGone(parts.connection()
                        .reader()
                        .resources(ObjectBucket.class)
                        .withName(claim.getSpec().objectBucket().orElseThrow()))) {
                    writer.mergeStatus(claim, Map.of("phase", Phase.RELEASED.text()));
                } else {
                    return Outcome.finish(Result.done());
                }
            }
        }
        return Outcome.progress();
    }

    private String announcement() {
        return rules.dryRun()
                ? "Nothing is done about it: this is a dry run."
                : "It will be deleted in " + rules.grace() + ", and its provisioner then lets go of the bucket.";
    }

    /** A cache that is behind, or a server that does not answer, is no proof of anything. */
    private static boolean isGone(Resource<? extends HasMetadata> object) {
        try {
            return object.get() == null;
        } catch (KubernetesClientException e) {
            throw new ApiException(
                    new ApiError.Unavailable("Could not make sure that it is gone: " + e.getMessage()), e);
        }
    }
}
