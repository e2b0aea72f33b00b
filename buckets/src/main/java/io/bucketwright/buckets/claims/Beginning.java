package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A claim for which nothing is recorded yet: whether it is ours, what it asks for, and the intent. */
record Beginning(Settings settings) {

    private static final Duration GRACE = Duration.ofSeconds(5);

    Decision<Step> decide(Observed observed, ObjectBucketClaim claim) {
        return switch (observed.bucketClass()) {
            case ClassView.Foreign _ -> Decision.done();
            case ClassView.Missing(String name) ->
                wasOurs(claim) ? released(observed, claim) : waitForClass(observed, claim, name);
            case ClassView.TwoDefaults(String names) ->
                ClaimDecision.show(
                        observed,
                        claim,
                        Trouble.untilChange(
                                "TwoDefaultClasses",
                                "The claim names no class, and several say they are the default: " + names
                                        + ". Set storageClassName, or leave the annotation on one of them."));
            case ClassView.Unusable(String name, String message) ->
                isOver(claim)
                        ? released(observed, claim)
                        : ClaimDecision.show(
                                observed,
                                claim,
                                Trouble.untilChange(
                                        "ClassUnusable",
                                        "StorageClass " + name + ": " + message
                                                + ". A class cannot be edited: an administrator must make it anew."));
            case ClassView.Ours(BucketClass bucketClass) ->
                isOver(claim) ? released(observed, claim) : begin(observed, claim, bucketClass);
        };
    }

    /**
     * Whose the class will be nobody knows, so the status is not ours to write; but that there is none is true for
     * everybody. Claim and class often come in one file, in either order: a moment's grace spares people a false alarm.
     */
    private static Decision<Step> waitForClass(Observed observed, ObjectBucketClaim claim, String name) {
        String words = "ClassNotFound " + name;
        if (words.equals(observed.memory().said())) {
            return Decision.done();
        }
        @Nullable String created = claim.getMetadata().getCreationTimestamp();
        Duration age = created == null
                ? GRACE
                : Duration.between(OffsetDateTime.parse(created).toInstant(), observed.now());
        return age.compareTo(GRACE) < 0
                ? Decision.finish(Result.requeueAfter(GRACE.minus(age)))
                : Decision.act(new Step.Tell(
                        observed.key(),
                        claim,
                        "ClassNotFound",
                        "There is no StorageClass " + InputText.quote(name)
                                + ". The claim waits for it: make the class, or make the claim anew with another.",
                        words));
    }

    private Decision<Step> begin(Observed observed, ObjectBucketClaim claim, BucketClass bucketClass) {
        String namespace = observed.key().namespace();
        if (!bucketClass.allows(namespace)) {
            return ClaimDecision.show(
                    observed,
                    claim,
                    Trouble.untilChange(
                            "NamespaceNotAllowed",
                            "StorageClass " + bucketClass.name() + " does not allow claims of namespace " + namespace
                                    + ". Use another class, or ask an administrator for one."));
        }
        ChosenBucket chosen;
        ClaimOptions options;
        try {
            chosen = ChosenBucket.of(claim, bucketClass, settings.clusterId(), Marks.hasFinalizer(claim));
            options = ClaimOptions.read(claim, bucketClass, chosen.origin());
        } catch (Invalid e) {
            return ClaimDecision.show(observed, claim, Trouble.of(e));
        }
        if (!observed.memory().checked()) {
            Optional<Decision<Step>> heldUp = ClaimDecision.heldUp(observed, Step.Concern.CHECK);
            return heldUp.orElseGet(() -> Decision.act(new Step.CheckStore(
                    ClaimDecision.on(observed, Step.Concern.CHECK), bucketClass, needs(bucketClass, chosen, options))));
        }
        String object = BucketObjects.name(
                namespace, observed.key().name(), observed.key().uid(), observed.nameTaken());
        Map<String, ?> marks =
                Marks.claim(claim, settings, chosen.origin(), chosen.name().text(), object);
        return marks.isEmpty()
                ? Decision.act(
                        new Step.RecordIntent(new BucketObjects(settings).recorded(object, claim, bucketClass, chosen)))
                : Decision.act(new Step.Merge(claim, marks));
    }

    /** What the store must be able to do, now or when the bucket goes. */
    private static Set<Capability> needs(BucketClass bucketClass, ChosenBucket chosen, ClaimOptions options) {
        Set<Capability> needs = EnumSet.noneOf(Capability.class);
        needs.addAll(options.options().needs());
        if (!options.access().prefix().isEmpty()) {
            needs.add(Capability.PREFIX);
        }
        if (options.access().mode() == AccessMode.WRITE_ONLY) {
            needs.add(Capability.WRITE_ONLY);
        }
        if (chosen.origin() == BucketOrigin.NEW && bucketClass.reclaimPolicy() == ReclaimPolicy.ERASE) {
            needs.add(Capability.ERASE);
        }
        if (chosen.origin() == BucketOrigin.NEW && bucketClass.reclaimPolicy() == ReclaimPolicy.SUSPEND) {
            needs.add(Capability.SUSPEND);
        }
        if (chosen.origin() == BucketOrigin.EXISTING
                && bucketClass.existingBucket().isEmpty()) {
            needs.add(Capability.RELEASE);
        }
        return needs;
    }

    /** It was bound, or was told that its bucket is gone: it is not made again. */
    private static boolean isOver(ObjectBucketClaim claim) {
        return claim.phase() == Phase.BOUND || claim.phase() == Phase.RELEASED;
    }

    private boolean wasOurs(ObjectBucketClaim claim) {
        @Nullable Map<String, String> labels = claim.getMetadata().getLabels();
        return isOver(claim)
                && labels != null
                && labels.entrySet().containsAll(settings.allLabels().entrySet());
    }

    private static Decision<Step> released(Observed observed, ObjectBucketClaim claim) {
        return new Said(
                        Phase.RELEASED,
                        false,
                        "ObjectBucketGone",
                        "The ObjectBucket of this claim is gone, and with it what is known about the bucket."
                                + " It is not made again: delete the claim, and make a new one if a bucket is needed.",
                        false)
                .thenRest(observed, claim, Result.done());
    }
}
