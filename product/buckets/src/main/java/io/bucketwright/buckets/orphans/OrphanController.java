package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.orphans.OrphanDecision.OrphanObservation;
import io.bucketwright.buckets.orphans.OrphanDecision.OrphanStep;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The orphan controller. It observes ObjectBuckets, which have no namespace, and claims, and remembers only when it first
 * reported each orphan.
 *
 * @param bucketsByName the ObjectBuckets by namespace and name of their claim: while a claim of that name exists, with any uid,
 *     they are no orphans
 * @param reported not in-flight state: an orphan for which nothing is left to do, as in a dry run, is not reported again in
 *     the same leadership term
 */
public record OrphanController(
        ControllerContext context,
        ObjectCache<ObjectBucketClaim> claims,
        ObjectCache<ObjectBucket> buckets,
        Index<ObjectBucket> bucketsByClaim,
        Index<ObjectBucket> bucketsByName,
        Map<ObjectKey, Report> reported) {

    /**
     * When an orphan was reported, and in which leadership term. In another term it counts as not reported: while another
     * process led, its claim may have been restored, and this process has not noticed that. The time is that of the monotonic
     * clock: a clock that is set must not end the grace period.
     */
    record Report(long term, long nanos) {}

    private static final int WORKERS = 2;
    private static final String KIND = "kind";

    /** The kind of orphans without a claim. */
    public static final String BUCKET = "ObjectBucket";

    private static final String CLAIM = "ObjectBucketClaim";

    public static void register(ControllerContext context, OrphanDecision decision) {
        ObjectCache<ObjectBucketClaim> claims = context.caches().of(ObjectBucketClaim.class, Scope.everything());
        ObjectCache<ObjectBucket> buckets = context.caches().unlimited(ObjectBucket.class, Scope.everything());
        Index<ObjectBucket> bucketsByClaim = buckets.indexBy(bucket ->
                RecordedBucket.claimOf(bucket).stream().map(ObjectKey::uid).toList());
        Index<ObjectBucket> bucketsByName = buckets.indexBy(bucket -> RecordedBucket.claimOf(bucket).stream()
                .map(claim -> claim.namespace() + "/" + claim.name())
                .toList());
        Index<ObjectBucketClaim> claimsByBucket =
                claims.indexBy(claim -> claim.getSpec().objectBucket().stream().toList());
        OrphanController orphans = new OrphanController(
                context, claims, buckets, bucketsByClaim, bucketsByName, new ConcurrentHashMap<>());
        context.metrics()
                .gauges(
                        "bucketwright.orphans",
                        "",
                        "ObjectBuckets without their claim and claims without their ObjectBucket, found and reported",
                        orphans::count);
        // From the start: an increase from a value that nobody has seen is none for Prometheus.
        Counter _ = orphans.reclaimed(BUCKET);
        Counter _ = orphans.reclaimed(CLAIM);
        context.<ObjectKey, OrphanObservation, OrphanStep>controller(
                        "objectbucket-ob-orphans", orphans::observe, decision::decide, orphans::act)
                .workers(WORKERS)
                .tenants(key -> isBucket(key)
                        ? buckets.get("", key.name())
                                .flatMap(RecordedBucket::claimOf)
                                .map(ObjectKey::namespace)
                        : Optional.of(key.namespace()))
                .watch(buckets, Function.identity())
                .watchRelated(buckets, bucket -> claimsOf(bucket, claimsByBucket))
                .watch(claims, Function.identity())
                .watchRelated(
                        claims,
                        claim ->
                                bucketsByName
                                        .get(claim.getMetadata().getNamespace() + "/"
                                                + claim.getMetadata().getName())
                                        .stream()
                                        .map(ObjectKey::of)
                                        .toList());
    }

    private static boolean isBucket(ObjectKey key) {
        return key.namespace().isEmpty();
    }

    /** The claim that an ObjectBucket belongs to, and those that name it: after a restore they may differ. */
    private static List<ObjectKey> claimsOf(ObjectBucket bucket, Index<ObjectBucketClaim> claimsByBucket) {
        return Stream.concat(
                        RecordedBucket.claimOf(bucket).stream(),
                        claimsByBucket.get(bucket.getMetadata().getName()).stream()
                                .map(ObjectKey::of))
                .toList();
    }

    private Map<Tags, Double> count() {
        long term = context.leadership().term();
        double all = reported.values().stream()
                .filter(report -> report.term() == term)
                .count();
        double ofBuckets = reported.entrySet().stream()
                .filter(entry -> entry.getValue().term() == term)
                .filter(entry -> isBucket(entry.getKey()))
                .count();
        return Map.of(Tags.of(KIND, BUCKET), ofBuckets, Tags.of(KIND, CLAIM), all - ofBuckets);
    }

    private Counter reclaimed(String kind) {
        return reclaimed(context, kind);
    }

    /** Counts the orphans of the kind that the role of the context has reclaimed. */
    public static Counter reclaimed(ControllerContext context, String kind) {
        return context.metrics()
                .counter(
                        "bucketwright.orphans.reclaimed",
                        "Orphans that this process has reclaimed",
                        Tags.of(KIND, kind));
    }

    OrphanObservation observe(ObjectKey key) {
        long term = context.leadership().term();
        long now = context.time().nanos();
        Optional<Duration> since = Optional.ofNullable(
                        reported.computeIfPresent(key, (_, report) -> report.term() == term ? report : null))
                .map(report -> Duration.ofNanos(now - report.nanos()));
        if (isBucket(key)) {
            Optional<ObjectBucket> bucket = buckets.get("", key.name()).filter(key::names);
            Optional<ObjectKey> claim = bucket.flatMap(RecordedBucket::claimOf);
            boolean nameInUse = claim.flatMap(owner -> claims.get(owner.namespace(), owner.name()))
                    .isPresent();
            return new OrphanObservation.Bucket(key, bucket, claim, nameInUse, since);
        }
        Optional<ObjectBucketClaim> claim =
                claims.get(key.namespace(), key.name()).filter(key::names);
        boolean namedBucketExists = claim.flatMap(found -> found.getSpec().objectBucket())
                .flatMap(name -> buckets.get("", name))
                .isPresent();
        boolean hasBucket = namedBucketExists || !bucketsByClaim.get(key.uid()).isEmpty();
        return new OrphanObservation.Claim(key, claim, hasBucket, since);
    }

    Outcome act(OrphanStep step) {
        return switch (step) {
            case OrphanStep.Report(HasMetadata orphan, String reason, String message) -> {
                context.events().warning(orphan, reason, "FindOrphans", message);
                reported.put(
                        ObjectKey.of(orphan),
                        new Report(context.leadership().term(), context.time().nanos()));
                yield Outcome.progress();
            }
            case OrphanStep.Forget(ObjectKey object) -> {
                reported.remove(object);
                yield Outcome.progress();
            }
            case OrphanStep.DeleteBucket(ObjectBucket bucket, ObjectKey claim) ->
                unlessExists(bucket, ObjectBucketClaim.class, claim.namespace(), claim.name(), () -> {
                    context.writer().delete(bucket);
                    reclaimed(BUCKET).increment();
                });
            case OrphanStep.ReleaseClaim(ObjectBucketClaim claim) ->
                unlessExists(
                        claim,
                        ObjectBucket.class,
                        "",
                        claim.getSpec().objectBucket().orElseThrow(),
                        () -> {
                            context.writer().mergeStatus(claim, Map.of("phase", Phase.RELEASED.text()));
                            reclaimed(CLAIM).increment();
                        });
        };
    }

    /** Acts only if the API server confirms that the other object does not exist: its watch may lag. */
    private Outcome unlessExists(
            HasMetadata orphan, Class<? extends HasMetadata> other, String namespace, String name, Runnable act) {
        reported.remove(ObjectKey.of(orphan));
        if (context.reader().read(other, namespace, name).isPresent()) {
            // If it is deleted before the next list of the cache, no event reports that.
            return Outcome.finish(Result.requeueAfter(OrphanDecision.CHECK_INTERVAL));
        }
        act.run();
        return Outcome.progress();
    }
}
