package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.ClaimGrants;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import java.util.Optional;

/**
 * Decides the next step of a claim from one observation, without I/O. This class decides whether this provisioner is
 * responsible; {@link NewClaimDecision}, {@link BoundClaimDecision} and {@link DeletedClaimDecision} decide the rest.
 */
record ClaimDecision(ProvisionerSettings settings) {

    Decision<ClaimStep> decide(ClaimObservation observed) {
        if (!settings.serves(observed.key().namespace())) {
            return Decision.done();
        }
        Optional<RecordedBucket> bucket = observed.bucket();
        Optional<BucketIntent> intent = bucket.flatMap(RecordedBucket::findIntent);
        boolean owned = intent.filter(recorded -> settings.isProvisioner(recorded.provisioner()))
                .isPresent();
        if (bucket.isPresent() && !owned) {
            return intent.isEmpty() && isWaitingForThisProvisioner(observed)
                    ? boundByAnother(observed, bucket.get())
                    : Decision.done();
        }
        if (intent.isPresent() && !intent.get().supported()) {
            return unsupportedVersion(observed, intent.get());
        }
        try {
            ClaimGrants _ = bucket.isPresent() ? bucket.get().readGrants() : ClaimGrants.NONE;
        } catch (UnreadableLedgerException e) {
            return unreadable(observed, bucket.get(), e);
        }
        Optional<Decision<ClaimStep>> rejected = observed.reportBlocked(Operation.WRITE);
        Optional<ObjectBucketClaim> claim = observed.claim();
        if (claim.isEmpty() || Metadata.isBeingDeleted(claim.get())) {
            return rejected.orElseGet(() -> new DeletedClaimDecision(settings, observed).decide());
        }
        Optional<Problem> tooLarge = Problem.ofSize(claim.get());
        if (bucket.isPresent()) {
            BoundClaimDecision bound = BoundClaimDecision.of(settings, observed, claim.get(), bucket.get());
            return bound.orEndAccess(
                    rejected.or(() -> tooLarge.map(bound::tooLarge)).orElseGet(bound::decide));
        }
        if (rejected.isPresent()) {
            return rejected.get();
        }
        if (tooLarge.isPresent()) {
            boolean served = observed.bucketClass() instanceof ResolvedClass.Usable;
            return served ? observed.report(tooLarge.get()) : Decision.done();
        }
        return new NewClaimDecision(settings, observed, claim.get()).decide();
    }

    /**
     * Whether nobody else will release the claim, because its class names this provisioner. If the class no longer exists, only
     * the label is left, which is enough for a report.
     */
    private boolean isWaitingForThisProvisioner(ClaimObservation observed) {
        return observed.claim()
                        .filter(Metadata::isBeingDeleted)
                        .filter(ClaimMetadata::hasFinalizer)
                        .isPresent()
                && switch (observed.bucketClass()) {
                    case ResolvedClass.Usable _, ResolvedClass.Unusable _ -> true;
                    case ResolvedClass.Missing _ ->
                        observed.claim()
                                .filter(claim -> Metadata.label(claim, ObjectBucketNames.PROVISIONER_LABEL)
                                        .equals(settings.provisioner().label()))
                                .isPresent();
                    case ResolvedClass.NotServed _, ResolvedClass.SeveralDefaults _ -> false;
                };
    }

    private static Decision<ClaimStep> boundByAnother(ClaimObservation observed, RecordedBucket bucket) {
        return observed.report(
                ClaimReason.BOUND_BY_ANOTHER_PROVISIONER,
                "Another provisioner bound this claim: " + bucket + " has no record of Bucketwright, which therefore"
                        + " releases nothing. Start that provisioner to delete the claim, or ask an administrator to take over"
                        + " the bucket, see docs/coming-from-rook.md.");
    }

    private static Decision<ClaimStep> unsupportedVersion(ClaimObservation observed, BucketIntent intent) {
        return observed.report(
                ClaimReason.UNSUPPORTED_INTENT_VERSION,
                "The ObjectBucket of this claim was written by a newer release (intent version " + intent.version()
                        + "), so nothing is changed. Run that release or a later one.");
    }

    private static Decision<ClaimStep> unreadable(
            ClaimObservation observed, RecordedBucket bucket, UnreadableLedgerException e) {
        return observed.report(
                ClaimReason.GRANTS_UNREADABLE,
                "The record of issued credentials, " + ObjectBucketNames.GRANTS + " in spec.additionalState of "
                        + bucket
                        + ", " + e.getMessage() + ". Nothing is changed until an administrator restores it. If that is"
                        + " impossible, remove it: the user of the claim is then still deleted with the claim.");
    }

    /** The API server rejected a write of the controller: a quota, an admission policy or a missing permission. */
    static Problem rejected(ApiError error) {
        return Problem.requiresUnwatchedChange(
                ClaimReason.WRITE_REJECTED,
                SafeText.line(error.message())
                        + " The controller tries again: fix the cause, or ask an administrator.");
    }

    /** An object of that kind has the name for the claim's one, and the claim does not own it. */
    static Problem notOwned(String kind, ClaimObservation observed) {
        ApplicationObjects objects = observed.objects();
        boolean secret = kind.equals("Secret");
        return Problem.requiresUnwatchedChange(
                secret ? ClaimReason.SECRET_NOT_OWNED : ClaimReason.CONFIG_MAP_NOT_OWNED,
                "The " + kind + " " + observed.key().namespace() + "/"
                        + (secret ? objects.secret() : objects.configMap())
                        + " exists and is not owned by this claim,"
                        + " so it is not changed. Delete or rename it, or create the claim under another name or with another "
                        + (secret
                                ? ClassParameters.APPLICATION_SECRET_NAME
                                : ClassParameters.APPLICATION_CONFIG_MAP_NAME)
                        + ".");
    }
}
