package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2AccessClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2BucketClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The controller for v1alpha2. Experimental. */
public final class V1alpha2Controller {

    /** After which the cache is looked at again if it lacks a Bucket that exists. */
    private static final Duration CACHE_DELAY = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final V1alpha2Caches caches;

    private V1alpha2Controller(ControllerContext context) {
        this.context = context;
        this.caches = new V1alpha2Caches(context.caches());
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Registers the controllers of both kinds. */
    public static void register(ControllerContext context, int workers) {
        V1alpha2Controller loops = new V1alpha2Controller(context);
        V1alpha2Caches caches = loops.caches;
        context.controller("v1alpha2-claims", loops::claim, V1alpha2Controller::decideClaim, loops::actClaim)
                .workers(workers)
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::claimKeysOf)
                .watchRelated(caches.classes, caches::claimKeysOf)
                .watchRelated(caches.accesses, caches::claimKeysOf);
        context.controller("v1alpha2-accesses", loops::access, V1alpha2Controller::decideAccess, loops::actAccess)
                .workers(workers)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.claims, caches::accessKeysOf)
                .watchRelated(caches.buckets, caches::accessKeysOf)
                .watchRelated(caches.accessClasses, caches::accessKeysOf);
    }

    /** Options of the controller. All of them are optional. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private int workers = 8;

        private Builder() {
            super("bucketwright.io/cosi-v1alpha2");
        }

        /** How many objects of each kind are reconciled at the same time. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            V1alpha2Controller.register(context, workers);
        }
    }

    private Optional<V1alpha2ClaimView> claim(ObjectKey key) {
        return caches.claims
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(claim -> new V1alpha2ClaimView(
                        claim,
                        caches.bucketOf(claim),
                        caches.classes.get("", claim.spec().bucketClassName()),
                        caches.accessesOf(claim).stream()
                                .filter(access -> Metadata.hasFinalizer(access, V1alpha2Names.FINALIZER))
                                .map(access -> access.getMetadata().getName())
                                .sorted()
                                .toList()));
    }

    private static Decision<V1alpha2ClaimStep> decideClaim(Optional<V1alpha2ClaimView> view) {
        return view.map(V1alpha2ClaimDecision::decide).orElseGet(Decision::done);
    }

    private Optional<V1alpha2AccessView> access(ObjectKey key) {
        return caches.accesses
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(access -> new V1alpha2AccessView(
                        access,
                        caches.accessClasses.get("", access.spec().bucketAccessClassName()),
                        access.spec().bucketClaims().stream()
                                .map(named -> named(access, named))
                                .toList(),
                        unreferenced(access)));
    }

    private V1alpha2AccessView.NamedClaim named(V1alpha2Access access, V1alpha2Access.ClaimAccess named) {
        Optional<V1alpha2Claim> claim = caches.claims.get(access.getMetadata().getNamespace(), named.bucketClaimName());
        return new V1alpha2AccessView.NamedClaim(named, claim, claim.flatMap(caches::bucketOf));
    }

    private List<V1alpha2Claim> unreferenced(V1alpha2Access access) {
        return caches.claimsOf(access).stream()
                .filter(claim -> Metadata.annotations(claim).containsKey(V1alpha2Names.ACCESS_REFERENCES))
                .filter(claim -> caches.accessesOf(claim).stream()
                        .allMatch(other -> other.getMetadata()
                                .getUid()
                                .equals(access.getMetadata().getUid())))
                .toList();
    }

    private static Decision<V1alpha2AccessStep> decideAccess(Optional<V1alpha2AccessView> view) {
        return view.map(V1alpha2AccessDecision::decide).orElseGet(Decision::done);
    }

    private Outcome actClaim(V1alpha2ClaimStep step) {
        switch (step) {
            case V1alpha2ClaimStep.AddFinalizer(V1alpha2Claim claim) ->
                context.writer()
                        .merge(
                                claim,
                                Metadata.patch(claim)
                                        .withFinalizer(V1alpha2Names.FINALIZER)
                                        .fields());
            case V1alpha2ClaimStep.CreateBucket(V1alpha2Claim claim, V1alpha2BucketClass bucketClass) ->
                context.writer().create(newBucket(claim, bucketClass));
            case V1alpha2ClaimStep.BindBucket(V1alpha2Claim claim, V1alpha2Bucket bucket) ->
                context.writer()
                        .merge(
                                bucket,
                                Map.of(
                                        "spec",
                                        Map.of(
                                                "bucketClaimRef",
                                                Map.of(
                                                        "uid",
                                                        claim.getMetadata().getUid()))));
            case V1alpha2ClaimStep.WriteStatus write -> context.writer().mergeStatus(write.claim(), fields(write));
            case V1alpha2ClaimStep.AnnotateBucket(V1alpha2Bucket bucket) ->
                context.writer()
                        .merge(
                                bucket,
                                Metadata.patch(bucket)
                                        .withAnnotations(Map.of(V1alpha2Names.CLAIM_BEING_DELETED, ""))
                                        .fields());
            case V1alpha2ClaimStep.DeleteBucket(V1alpha2Bucket bucket) ->
                context.writer().deleteAnyVersion(bucket);
            case V1alpha2ClaimStep.RemoveFinalizer(V1alpha2Claim claim, boolean confirm) -> {
                if (confirm && hasBucket(claim)) {
                    return Outcome.finish(Result.requeueAfter(CACHE_DELAY));
                }
                context.writer().merge(claim, Metadata.withoutFinalizer(claim, V1alpha2Names.FINALIZER));
            }
        }
        return Outcome.progress();
    }

    private boolean hasBucket(V1alpha2Claim claim) {
        return context.reader()
                .read(V1alpha2Bucket.class, "", V1alpha2Caches.bucketName(claim))
                .filter(bucket -> bucket.claim().isBoundTo(claim))
                .isPresent();
    }

    private Map<String, @Nullable Object> fields(V1alpha2ClaimStep.WriteStatus write) {
        Map<String, @Nullable Object> fields =
                StatusError.fields(write.ready(), write.error(), context.time().now());
        if (!write.bucketName().isEmpty()) {
            fields.put("boundBucketName", write.bucketName());
        }
        fields.put("protocols", write.protocols().isEmpty() ? null : write.protocols());
        return fields;
    }

    private static V1alpha2Bucket newBucket(V1alpha2Claim claim, V1alpha2BucketClass bucketClass) {
        V1alpha2Bucket bucket = new V1alpha2Bucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(V1alpha2Names.bucketOf(claim.getMetadata().getUid()))
                .build());
        bucket.setSpec(new V1alpha2Bucket.BucketSpec(
                bucketClass.spec().driverName(),
                bucketClass.spec().deletionPolicy(),
                bucketClass.spec().parameters(),
                claim.spec().protocols(),
                new V1alpha2Bucket.ClaimReference(
                        claim.getMetadata().getName(),
                        claim.getMetadata().getNamespace(),
                        claim.getMetadata().getUid()),
                ""));
        return bucket;
    }

    private Outcome actAccess(V1alpha2AccessStep step) {
        switch (step) {
            case V1alpha2AccessStep.AddFinalizer(V1alpha2Access access) ->
                context.writer()
                        .merge(
                                access,
                                Metadata.patch(access)
                                        .withFinalizer(V1alpha2Names.FINALIZER)
                                        .fields());
            case V1alpha2AccessStep.AnnotateClaim(V1alpha2Claim claim) ->
                context.writer()
                        .merge(
                                claim,
                                Metadata.patch(claim)
                                        .withAnnotations(Map.of(V1alpha2Names.ACCESS_REFERENCES, ""))
                                        .fields());
            case V1alpha2AccessStep.HandOver handOver ->
                context.writer().mergeStatus(handOver.access(), fields(handOver));
            case V1alpha2AccessStep.WriteError(V1alpha2Access access, String message) ->
                context.writer()
                        .mergeStatus(
                                access,
                                StatusError.fields(
                                        false, message, context.time().now()));
            case V1alpha2AccessStep.ReleaseClaim(V1alpha2Claim claim) ->
                context.writer()
                        .merge(
                                claim,
                                Metadata.patch(claim)
                                        .withoutAnnotation(V1alpha2Names.ACCESS_REFERENCES)
                                        .fields());
            case V1alpha2AccessStep.RemoveFinalizer(V1alpha2Access access) ->
                context.writer().merge(access, Metadata.withoutFinalizer(access, V1alpha2Names.FINALIZER));
        }
        return Outcome.progress();
    }

    private Map<String, @Nullable Object> fields(V1alpha2AccessStep.HandOver step) {
        V1alpha2AccessClass.AccessClassSpec terms = step.accessClass().spec();
        Map<String, @Nullable Object> fields =
                StatusError.fields(false, "", context.time().now());
        fields.put("driverName", terms.driverName());
        fields.put("authenticationType", terms.authenticationType());
        fields.put("accessedBuckets", step.buckets());
        if (!terms.parameters().isEmpty()) {
            fields.put("parameters", terms.parameters());
        }
        return fields;
    }
}
