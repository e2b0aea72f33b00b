package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RequestedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides about a claim without an ObjectBucket: whether it is valid, and which intent to record. */
record NewClaimDecision(ProvisionerSettings settings, ClaimObservation observed, ObjectBucketClaim claim) {

    private static final Duration CLASS_GRACE = Duration.ofSeconds(5);

    Decision<ClaimStep> decide() {
        return switch (observed.bucketClass()) {
            case ResolvedClass.NotServed _ -> Decision.done();
            case ResolvedClass.Missing(String name) ->
                LostBucketDecision.hadBucket(claim) && Metadata.hasLabels(claim, settings.allLabels())
                        ? released()
                        : waitForClass(name);
            case ResolvedClass.SeveralDefaults(String names) ->
                observed.report(
                        ClaimReason.MULTIPLE_DEFAULT_CLASSES,
                        "The claim names no class, and several classes are the default: " + names
                                + ". Set storageClassName, or keep the annotation on only one of them.");
            case ResolvedClass.Unusable(String name, String message) ->
                LostBucketDecision.hadBucket(claim)
                        ? released()
                        : observed.report(
                                ClaimReason.INVALID_CLASS,
                                "StorageClass " + name + ": " + message + ". Parameters of a class cannot be"
                                        + " changed: an administrator must delete and create it again.");
            case ResolvedClass.Usable(BucketClass bucketClass) ->
                LostBucketDecision.hadBucket(claim) ? released() : record(bucketClass);
        };
    }

    /**
     * The provisioner of a missing class is unknown, so this controller must not write the status; but the event is
     * correct for every provisioner. Claim and class are often created together, in either order: a short delay avoids
     * a false warning.
     */
    private Decision<ClaimStep> waitForClass(String name) {
        String summary = "ClassNotFound " + name;
        if (summary.equals(observed.state().reported())) {
            return Decision.done();
        }
        @Nullable String created = claim.getMetadata().getCreationTimestamp();
        Duration age = created == null
                ? CLASS_GRACE
                : Duration.between(OffsetDateTime.parse(created).toInstant(), observed.now());
        return age.compareTo(CLASS_GRACE) < 0
                ? Decision.finish(Result.requeueAfter(CLASS_GRACE.minus(age), CLASS_GRACE))
                : Decision.act(new ClaimStep.SendEvent(
                        claim,
                        ClaimReason.CLASS_NOT_FOUND,
                        "StorageClass " + SafeText.quoted(name)
                                + " does not exist. The claim waits for it: create the class,"
                                + " or create the claim again with another class.",
                        summary));
    }

    private Decision<ClaimStep> record(BucketClass bucketClass) {
        ObjectKey key = observed.key();
        if (!bucketClass.allows(key.namespace())) {
            return observed.report(
                    ClaimReason.NAMESPACE_NOT_ALLOWED,
                    "StorageClass " + bucketClass.name() + " does not allow claims in namespace " + key.namespace()
                            + ". Use another class, or ask an administrator for one.");
        }
        RequestedBucket requested;
        ClaimOptions options;
        ApplicationObjects objects;
        try {
            requested = RequestedBucket.of(claim, bucketClass, settings.clusterId(), ClaimMetadata.hasFinalizer(claim));
            if (requested.origin() == BucketOrigin.NEW) {
                bucketClass.requireNewName(requested.name(), key.namespace());
            }
            options = ClaimOptions.read(claim, bucketClass, requested.origin());
            objects = ApplicationObjects.of(claim, bucketClass);
        } catch (Invalid e) {
            return observed.report(StoreProblems.of(e));
        }
        if (!observed.state().has(Fact.STORE_CHECKED)) {
            return observed.unlessBlocked(
                    Operation.CHECK,
                    attempt -> new ClaimStep.CheckStore(
                            attempt,
                            bucketClass,
                            requested.name(),
                            requiredCapabilities(bucketClass, requested, options),
                            options.tls()));
        }
        String object = ObjectBucketContent.name(key.namespace(), key.name(), key.uid(), observed.nameTaken());
        Map<String, ?> missing = ClaimMetadata.missingOnClaim(
                claim, settings, requested.origin(), requested.name().text(), object, objects);
        return Decision.act(
                missing.isEmpty()
                        ? new ClaimStep.RecordIntent(new ObjectBucketContent(settings)
                                .withIntent(object, claim, bucketClass, requested, objects, options, observed.now()))
                        : new ClaimStep.Patch(claim, missing));
    }

    /** What the store must support now, or when the bucket is released. */
    private static Set<Capability> requiredCapabilities(
            BucketClass bucketClass, RequestedBucket requested, ClaimOptions options) {
        Set<Capability> required = EnumSet.noneOf(Capability.class);
        required.addAll(options.options().needs());
        if (!options.access().prefix().isEmpty()) {
            required.add(Capability.PREFIX);
        }
        if (options.access().mode() == AccessMode.WRITE_ONLY) {
            required.add(Capability.WRITE_ONLY);
        }
        boolean isNew = requested.origin() == BucketOrigin.NEW;
        if (isNew && bucketClass.reclaimPolicy() == ReclaimPolicy.ERASE) {
            required.add(Capability.ERASE);
        }
        if (isNew && bucketClass.reclaimPolicy() == ReclaimPolicy.SUSPEND) {
            required.add(Capability.SUSPEND);
        }
        if (!isNew && bucketClass.existingBucket().isEmpty()) {
            required.add(Capability.RELEASE);
            if (bucketClass.adoptsOrphans()) {
                required.add(Capability.LIST);
            }
        }
        return required;
    }

    private Decision<ClaimStep> released() {
        return new LostBucketDecision(settings, observed, claim).decide();
    }
}
