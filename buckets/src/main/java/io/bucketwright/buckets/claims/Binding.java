package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A claim with a recorded bucket: to Bound, and kept there. */
record Binding(Settings settings) {

    /** What is looked at again and again below. */
    private record Case(
            Observed observed,
            ObjectBucketClaim claim,
            BucketRecord record,
            BucketIntent intent,
            BucketClass bucketClass,
            Rotation rotation) {

        Step.Concerned on(Step.Concern concern) {
            return ClaimDecision.on(observed, concern);
        }
    }

    Decision<Step> decide(Observed observed, ObjectBucketClaim claim, ObjectBucket bucket, BucketIntent intent) {
        if (bucket.getMetadata().getDeletionTimestamp() != null) {
            return deleting(observed, claim, bucket);
        }
        Map<String, ?> marks =
                Marks.claim(claim, settings, intent, bucket.getMetadata().getName());
        if (!marks.isEmpty()) {
            return Decision.act(new Step.Merge(claim, marks));
        }
        Map<String, ?> repairs = new BucketObjects(settings).repairs(bucket, intent);
        if (!repairs.isEmpty()) {
            return Decision.act(new Step.Merge(bucket, repairs));
        }
        BucketRecord record = new BucketRecord(bucket);
        BucketClass bucketClass;
        try {
            bucketClass = BucketClass.of(intent);
        } catch (Invalid e) {
            return ClaimDecision.show(observed, claim, Trouble.of(e));
        }
        Rotation rotation = Rotation.of(claim, record, observed.now());
        Case it = new Case(observed, claim, record, intent, bucketClass, rotation);
        try {
            BucketOrigin origin = intent.bucketOrigin().orElse(BucketOrigin.EXISTING);
            ClaimOptions options = ClaimOptions.read(claim, bucketClass, origin);
            return handOver(it, options).orElseGet(() -> settle(it, options));
        } catch (Invalid e) {
            return record.complete()
                    ? secretAndConfig(it)
                            .orElseGet(() -> finish(it, oldOptions(Trouble.of(e).message(), false)))
                    : ClaimDecision.show(observed, claim, Trouble.of(e));
        }
    }

    private static Decision<Step> deleting(Observed observed, ObjectBucketClaim claim, ObjectBucket bucket) {
        String message = "ObjectBucket " + bucket.getMetadata().getName()
                + " is marked for deletion, which cannot be undone. It stays, and the bucket works, until this claim is"
                + " deleted: move the data to a new claim.";
        Said said = claim.phase() == Phase.BOUND
                ? Said.boundBut("ObjectBucketDeleting", message, false)
                : Said.trouble(Trouble.untilChange("ObjectBucketDeleting", message), claim.phase());
        return said.thenRest(observed, claim, Result.done());
    }

    /** Everything on the way to credentials in the Secret that the ObjectBucket vouches for; empty if they are there. */
    private Optional<Decision<Step>> handOver(Case it, ClaimOptions options) {
        Observed observed = it.observed();
        Optional<Handed> handed = observed.memory().handed();
        boolean needed = !it.record().complete()
                || !it.record().endpointIsOurs()
                || !it.record().isNamedBy(options.renames())
                || it.rotation() instanceof Rotation.Due
                || !(observed.secret() instanceof Child.Ours<Secret> secret)
                || secret.deleting()
                || !it.record().isHeldBy(secret);
        if (!needed) {
            return Optional.empty();
        }
        if (handed.isPresent()) {
            return Optional.of(deliver(it, handed.get(), options));
        }
        if (it.record().complete() && observed.secret() instanceof Child.Ours<Secret> secret && secret.deleting()) {
            return Optional.of(Decision.act(new Step.SaveSecret(
                    it.on(Step.Concern.SECRET), secret.bare(), it.record().bucket())));
        }
        if (observed.secret() instanceof Child.Foreign<Secret>) {
            return Optional.of(ClaimDecision.show(observed, it.claim(), notOurs("Secret", it)));
        }
        boolean absent = observed.secret() instanceof Child.Absent<Secret>;
        if (it.record().complete() && absent && !observed.memory().secretMissed()) {
            return Optional.of(ClaimDecision.heldUp(observed, Step.Concern.SECRET)
                    .orElseGet(() -> Decision.act(new Step.LookForSecret(it.on(Step.Concern.SECRET), it.claim()))));
        }
        Set<String> published = it.record().complete() && !it.record().keyId().isEmpty()
                ? Set.of(it.record().keyId())
                : Set.of();
        return Optional.of(ClaimDecision.heldUp(observed, Step.Concern.CREDENTIALS)
                .orElseGet(() -> Decision.act(new Step.Ask(
                        it.on(Step.Concern.CREDENTIALS),
                        it.intent(),
                        options,
                        !it.record().complete(),
                        published))));
    }

    /** From memory into Secret, ConfigMap and ObjectBucket, in that order. */
    private Decision<Step> deliver(Case it, Handed handed, ClaimOptions options) {
        Observed observed = it.observed();
        boolean open = handed.connection()
                .filter(connection -> !connection.endpoint().secure())
                .isPresent();
        if (options.encrypted() && open) {
            return ClaimDecision.show(
                    observed,
                    it.claim(),
                    Trouble.untilChange(
                            "NotEncrypted",
                            "The claim asks for an encrypted connection, and the store of class "
                                    + it.intent().storageClassName()
                                    + " offers none. Remove ssl from the claim, or use another class."));
        }
        Optional<Decision<Step>> secret = switch (observed.secret()) {
            case Child.Foreign<Secret> _ ->
                Optional.of(ClaimDecision.show(observed, it.claim(), notOurs("Secret", it)));
            case Child.Ours<Secret> ours when ours.deleting() -> Optional.of(Decision.act(new Step.LetGo(ours.bare())));
            case Child.Ours<Secret> ours
            when ours.content().entrySet().containsAll(handed.secretDigests().entrySet()) -> Optional.empty();
            case Child<Secret> other ->
                Optional.of(ClaimDecision.heldUp(observed, Step.Concern.SECRET)
                        .orElseGet(() -> Decision.act(new Step.PutSecret(
                                it.on(Step.Concern.SECRET),
                                it.claim(),
                                other,
                                handed,
                                it.record().secretKeys()))));
        };
        return secret.or(() -> config(it, handed.handover().config())).orElseGet(() -> {
            String rotatedFor = it.rotation() instanceof Rotation.Due(String mark) ? mark : "";
            Instant until = observed.now().plus(it.bucketClass().rotationOverlap());
            return Decision.act(new Step.Complete(
                    it.on(Step.Concern.CREDENTIALS),
                    it.record().bucket(),
                    BucketObjects.completed(it.record(), handed, options.renames(), rotatedFor, until)));
        });
    }

    private Optional<Decision<Step>> config(Case it, Map<String, String> content) {
        Observed observed = it.observed();
        return switch (observed.configMap()) {
            case Child.Foreign<ConfigMap> _ ->
                Optional.of(ClaimDecision.show(observed, it.claim(), notOurs("ConfigMap", it)));
            case Child.Ours<ConfigMap> ours
            when ours.deleting() -> Optional.of(Decision.act(new Step.LetGo(ours.bare())));
            case Child.Ours<ConfigMap> ours
            when ours.content().entrySet().containsAll(content.entrySet()) -> Optional.empty();
            case Child<ConfigMap> other ->
                Optional.of(ClaimDecision.heldUp(observed, Step.Concern.CONFIG_MAP)
                        .orElseGet(() -> Decision.act(new Step.PutConfigMap(
                                it.on(Step.Concern.CONFIG_MAP),
                                it.claim(),
                                other,
                                content,
                                it.record().config().keySet()))));
        };
    }

    /** Content is right; the rest of what can drift, then what changes with the claim or with time. */
    private Decision<Step> settle(Case it, ClaimOptions options) {
        return secretAndConfig(it).or(() -> retire(it)).orElseGet(() -> options(it, options));
    }

    private Optional<Decision<Step>> secretAndConfig(Case it) {
        return config(it, it.record().config())
                .or(() -> metadata(it.observed().secret()))
                .or(() -> metadata(it.observed().configMap()));
    }

    private Optional<Decision<Step>> metadata(Child<?> child) {
        if (child instanceof Child.Ours<?> ours) {
            Map<String, ?> missing = Marks.metadata(ours.bare(), settings.allLabels());
            if (!missing.isEmpty()) {
                return Optional.of(Decision.act(new Step.Merge(ours.bare(), missing)));
            }
        }
        return Optional.empty();
    }

    private Optional<Decision<Step>> retire(Case it) {
        String previous = it.record().previousKey();
        if (previous.isEmpty() || it.observed().now().isBefore(it.record().previousKeyUntil())) {
            return Optional.empty();
        }
        if (previous.equals(it.observed().memory().retired())) {
            return Optional.of(Decision.act(new Step.Complete(
                    it.on(Step.Concern.RETIREMENT), it.record().bucket(), BucketObjects.retired())));
        }
        return Optional.of(ClaimDecision.heldUp(it.observed(), Step.Concern.RETIREMENT)
                .orElseGet(() -> Decision.act(new Step.Retire(
                        it.on(Step.Concern.RETIREMENT),
                        it.intent(),
                        previous,
                        it.record().keyId()))));
    }

    private Decision<Step> options(Case it, ClaimOptions options) {
        if (options.digest().equals(it.record().options())) {
            return finish(it, Said.bound(it.intent().bucketName()));
        }
        if (options.digest().equals(it.observed().memory().applied())) {
            return Decision.act(new Step.Complete(
                    it.on(Step.Concern.OPTIONS), it.record().bucket(), BucketObjects.applied(options.digest())));
        }
        Optional<Failure> failed = ClaimDecision.failure(it.observed(), Step.Concern.OPTIONS);
        if (failed.isPresent()) {
            Trouble trouble = failed.get().trouble();
            Decision<Step> rest = finish(it, oldOptions(trouble.message(), !trouble.untilChange()));
            return rest instanceof Decision.Finish<Step>
                    ? Decision.finish(ClaimDecision.rest(failed.get(), it.observed()))
                    : rest;
        }
        return Decision.act(new Step.ApplyOptions(it.on(Step.Concern.OPTIONS), it.intent(), options));
    }

    private static Said oldOptions(String message, boolean passing) {
        return Said.boundBut(
                "OptionsNotApplied", "The bucket is ready, with the options it had before: " + message, passing);
    }

    private Decision<Step> finish(Case it, Said said) {
        if (it.record().bucket().phase() != Phase.BOUND) {
            return Decision.act(new Step.SetBucketPhase(it.record().bucket(), Phase.BOUND));
        }
        Said told = it.rotation() instanceof Rotation.Unreadable(String text)
                        && said.reason().equals("Bound")
                ? Said.boundBut(
                        "RotateAtUnreadable",
                        "The bucket is ready. The annotation " + Rotation.ANNOTATION + " must be a time such as"
                                + " 2030-01-31T12:00:00Z, and is " + InputText.quote(text) + ".",
                        false)
                : said;
        return told.thenRest(it.observed(), it.claim(), next(it));
    }

    private static Result next(Case it) {
        Instant now = it.observed().now();
        Optional<Instant> rotation =
                it.rotation() instanceof Rotation.Later(Instant at) ? Optional.of(at) : Optional.empty();
        Optional<Instant> retirement = it.record().previousKey().isEmpty()
                ? Optional.empty()
                : Optional.of(it.record().previousKeyUntil());
        return Stream.of(rotation, retirement)
                .flatMap(Optional::stream)
                .min(Instant::compareTo)
                .map(at -> Result.requeueAfter(at.isBefore(now) ? Duration.ZERO : Duration.between(now, at)))
                .orElse(Result.done());
    }

    private static Trouble notOurs(String kind, Case it) {
        return notOurs(kind, it.observed().key());
    }

    static Trouble notOurs(String kind, ObjectKey claim) {
        return Trouble.unseen(
                kind + "NotOurs",
                "There is a " + kind + " " + claim.namespace() + "/" + claim.name()
                        + " that does not belong to this claim; it is left alone. Delete or rename it, or give the claim"
                        + " another name.");
    }
}
