package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.claims.ClaimState.Fact;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.objects.CachedChild;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.ContentDigest;
import io.bucketwright.buckets.objects.IssuedCredentials;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.OwnedSecret.Lookup;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The steps that write to the API server: claims and ObjectBuckets, and the Secret and the ConfigMap of a claim. An object that
 * the claim does not own is never changed.
 */
record ClaimWrites(
        ProvisionerSettings settings,
        ApiWriter writer,
        ObjectReader reader,
        EventRecorder events,
        InFlightState<ObjectKey, ClaimState> states,
        RoleMetrics metrics,
        TimeSource time) {

    private static final String BIND = "Bind";
    private static final String RELEASE = "Release";

    /** Whether a claim of that name exists, with any uid. If so, the next decision keeps the bucket of the former claim. */
    boolean isNameInUse(ObjectKey key) {
        boolean inUse = reader.read(ObjectBucketClaim.class, key.namespace(), key.name())
                .isPresent();
        if (inUse) {
            states.update(key, state -> state.with(Fact.NAME_IN_USE));
        }
        return inUse;
    }

    Outcome act(ObjectKey key, ClaimStep.ApiStep step) {
        return switch (step) {
            case ClaimStep.RecordIntent(ObjectBucket bucket) -> {
                create(bucket);
                yield progress(key, state -> state.with(Fact.INTENT_CREATED));
            }
            case ClaimStep.Patch patch -> {
                merge(patch.object(), patch.fields());
                yield progress(key, patch.then());
            }
            case ClaimStep.RevertReclaimPolicy(ObjectBucket bucket, Map<String, ?> fields, String recorded) -> {
                @Nullable String changed = bucket.getSpec().reclaimPolicy();
                writer.merge(bucket, fields);
                events.warning(
                        bucket,
                        ClaimReason.RECLAIM_POLICY_REVERTED,
                        RELEASE,
                        "spec.reclaimPolicy of this ObjectBucket was changed to "
                                + SafeText.quoted(changed == null ? "" : changed) + ". " + effective(fields, recorded));
                yield Outcome.progress();
            }
            case ClaimStep.SetBucketPhase(ObjectBucket bucket, Phase phase) -> {
                writer.mergeStatus(bucket, Map.of("phase", phase.text()));
                yield Outcome.progress();
            }
            case ClaimStep.SetClaimStatus(ObjectBucketClaim claim, ClaimStatus status) -> {
                writer.mergeStatus(claim, status.fields(claim, time.now()));
                if (status.phase() == Phase.BOUND
                        && (claim.phase() == Phase.PENDING || claim.phase() == Phase.FAILED)) {
                    metrics.bound(ClaimMetrics.KIND, claim, time.now());
                }
                send(claim, status.ready());
                yield progress(key, state -> state.withReported(status.summary(claim)));
            }
            case ClaimStep.SendEvent event -> {
                String action = event.object() instanceof ObjectBucket ? RELEASE : BIND;
                events.warning(event.object(), event.reason(), action, event.message());
                yield progress(key, event.then());
            }
            case ClaimStep.Delete(HasMetadata object) -> {
                writer.delete(object);
                yield Outcome.progress();
            }
            case ClaimStep.ReadSecret read -> read(read);
            case ClaimStep.FindChild(Class<? extends HasMetadata> type, String name) -> find(key, type, name);
            case ClaimStep.WriteSecret write -> write(write);
            case ClaimStep.MoveSecret move -> move(move);
            case ClaimStep.ReplaceSecret replace -> replace(replace);
            case ClaimStep.WriteConfigMap write -> write(write);
        };
    }

    private Outcome progress(ObjectKey key, UnaryOperator<ClaimState> change) {
        states.update(key, change);
        return Outcome.progress();
    }

    /** Sends an event about a problem that cannot be in the claim's status. */
    void warn(ObjectBucketClaim claim, Problem problem) {
        events.warning(claim, problem.reason(), BIND, problem.message());
    }

    private void create(ObjectBucket bucket) {
        try {
            writer.create(bucket);
        } catch (ApiException e) {
            @Nullable String policy = bucket.getSpec().reclaimPolicy();
            boolean unknownToSomeSchemas = ReclaimPolicy.ERASE.text().equals(policy)
                    || ReclaimPolicy.SUSPEND.text().equals(policy);
            if (!(e.error() instanceof ApiError.Invalid) || !unknownToSomeSchemas) {
                throw e;
            }
            writer.create(ObjectBucketContent.withKnownPolicy(bucket));
        }
    }

    private void send(ObjectBucketClaim claim, ReadyCondition ready) {
        if (ready.informational()) {
            events.normal(claim, ready.reason(), BIND, ready.message());
        } else {
            events.warning(claim, ready.reason(), BIND, ready.message());
        }
    }

    /** Some schemas have no value for all policies; the field is then Retain, whatever policy applies. */
    private static String effective(Map<String, ?> fields, String recorded) {
        boolean isInField = fields.get("spec") instanceof Map<?, ?> spec && recorded.equals(spec.get("reclaimPolicy"));
        return isInField
                ? "It is " + recorded + " again. Only a change to Retain is accepted."
                : "The policy of this bucket is still " + recorded
                        + ". The field is Retain again, because the CustomResourceDefinition does not allow " + recorded
                        + ". To keep the bucket and its objects, annotate the ObjectBucket with "
                        + ObjectBucketNames.ABANDON_ANNOTATION + "=true before the claim is deleted.";
    }

    private Outcome write(ClaimStep.WriteSecret step) {
        SortedMap<String, String> data = ContentDigest.base64(step.data().secret());
        Secret secret = new SecretBuilder()
                .withMetadata(metadata(
                        step.attempt().claim(),
                        step.attempt().observed().objects().secret()))
                .editMetadata()
                .withAnnotations(step.issued().annotations())
                .endMetadata()
                .withType("Opaque")
                .withData(data)
                .build();
        Outcome outcome = write(
                step.attempt(),
                step.attempt().observed().secret(),
                secret,
                data,
                step.attempt().bucket().secretKeys());
        states.update(step.attempt().key(), ClaimState::withSecretWritten);
        return outcome;
    }

    private Outcome move(ClaimStep.MoveSecret step) {
        RecordedBucket bucket = step.change().bucket();
        // The cache has no values.
        Secret secret = readAgain(step.bare());
        ConnectionData former = data(secret, bucket);
        ConnectionData data = new ConnectionData(former.config(), step.change().secret(former.secret()));
        IssuedCredentials issued = IssuedCredentials.of(bucket, data);
        writer.merge(
                secret, fields(secret, issued.annotations(), ContentDigest.base64(data.secret()), bucket.secretKeys()));
        return Outcome.progress();
    }

    private Outcome write(ClaimStep.WriteConfigMap step) {
        ConfigMap configMap = new ConfigMapBuilder()
                .withMetadata(metadata(
                        step.attempt().claim(),
                        step.attempt().observed().objects().configMap()))
                .editMetadata()
                .withAnnotations(CachedChild.annotations(step.content().keySet()))
                .endMetadata()
                .withData(step.content())
                .build();
        return write(
                step.attempt(),
                step.attempt().observed().configMap(),
                configMap,
                step.content(),
                step.attempt().bucket().config().keySet());
    }

    private Outcome read(ClaimStep.ReadSecret step) {
        ObjectKey key = step.attempt().key();
        OwnedSecret secret = new OwnedSecret(writer, reader);
        String name = step.attempt().observed().objects().secret();
        return switch (secret.read(
                Secret.class, key.namespace(), name, found -> Metadata.isOwnedBy(found, key.uid()))) {
            case Lookup.Missing<Secret> _ -> progress(key, state -> state.with(Fact.SECRET_ABSENT));
            case Lookup.Foreign<Secret> _ -> notOwned(step.attempt(), "Secret");
            case Lookup.Owned<Secret>(Secret found) -> label(key, found);
        };
    }

    private <T extends HasMetadata> Outcome find(ObjectKey key, Class<T> type, String name) {
        Lookup<T> found = new OwnedSecret(writer, reader)
                .read(type, key.namespace(), name, child -> Metadata.isOwnedBy(child, key.uid()));
        return found instanceof Lookup.Owned<T>(T child)
                ? label(key, child)
                : progress(key, state -> state.withFound(type));
    }

    /** Adds the label to an object of the claim that is not in the cache. */
    private Outcome label(ObjectKey key, HasMetadata child) {
        Map<String, ?> missing = ClaimMetadata.missing(child, settings.allLabels());
        if (missing.isEmpty()) {
            return Outcome.finish(Result.retry("The cache does not contain " + child.getKind() + " "
                    + child.getMetadata().getName() + " of claim " + key + " yet"));
        }
        writer.merge(child, missing);
        return Outcome.progress();
    }

    private Outcome replace(ClaimStep.ReplaceSecret step) {
        ObjectKey key = step.attempt().key();
        // The cache has no values. The Secret exists as long as it has the finalizer.
        Secret secret = readAgain(step.bare());
        RecordedBucket bucket = step.attempt().bucket();
        if (bucket.matches(ChildObject.ofWholeSecret(secret))) {
            ConnectionData data = data(secret, bucket);
            states.update(key, state -> state.withSavedData(data));
            states.clearFailure(key);
        }
        writer.merge(step.bare(), ClaimMetadata.withoutFinalizer(secret));
        return Outcome.progress();
    }

    /** Writes the fields. The cache does not keep very many finalizers: then the whole object tells them all. */
    private void merge(HasMetadata object, Map<String, ?> fields) {
        if (MetadataTrim.hasAllFinalizers(object)) {
            writer.merge(object, fields);
            return;
        }
        HasMetadata whole = readAgain(object);
        writer.merge(
                whole,
                fields.equals(ClaimMetadata.withoutFinalizer(object))
                        ? ClaimMetadata.withoutFinalizer(whole)
                        : ClaimMetadata.missing(whole, settings.allLabels()));
    }

    /**
     * The whole object, read from the API server.
     *
     * @throws ApiException with the error of a conflict if the cache does not show its last version yet
     */
    private <T extends HasMetadata> T readAgain(T cached) {
        @SuppressWarnings("unchecked") // the class of a T is a class of T
        Class<T> type = (Class<T>) cached.getClass();
        ObjectMeta known = cached.getMetadata();
        return reader.read(type, known.getNamespace(), known.getName())
                .filter(found -> known.getUid().equals(found.getMetadata().getUid())
                        && known.getResourceVersion().equals(found.getMetadata().getResourceVersion()))
                .orElseThrow(() -> new ApiException(new ApiError.Conflict("The cache does not show the last version of "
                        + cached.getKind() + " " + known.getNamespace() + "/" + known.getName() + " yet")));
    }

    private static ConnectionData data(Secret secret, RecordedBucket bucket) {
        SortedMap<String, SecretValue> values = ContentDigest.decode(secret.getData());
        values.keySet().retainAll(bucket.secretKeys());
        return new ConnectionData(new TreeMap<>(bucket.config()), values);
    }

    private <T extends HasMetadata> Outcome write(
            Attempt attempt, ChildObject<T> current, T complete, Map<String, String> data, Set<String> formerKeys) {
        if (current instanceof ChildObject.Owned<T> owned) {
            boolean whole = MetadataTrim.hasAllFinalizers(owned.bare());
            T object = whole ? owned.bare() : readAgain(owned.bare());
            writer.merge(object, fields(object, Metadata.annotations(complete), data, formerKeys));
            return Outcome.progress();
        }
        ObjectKey key = attempt.key();
        String kind = complete.getKind();
        Lookup<T> result = new OwnedSecret(writer, reader)
                .create(
                        complete,
                        found -> Metadata.isOwnedBy(found, key.uid()),
                        found -> writer.merge(found, fields(found, Metadata.annotations(complete), data, formerKeys)));
        return switch (result) {
            case Lookup.Owned<T> _ -> Outcome.progress();
            case Lookup.Missing<T> _ ->
                Outcome.finish(Result.retry(kind + " " + key + " existed and was deleted in the meantime"));
            case Lookup.Foreign<T> _ -> notOwned(attempt, kind);
        };
    }

    private Outcome notOwned(Attempt attempt, String kind) {
        Problem problem = ClaimDecision.notOwned(kind, attempt.observed());
        states.recordFailure(attempt.key(), attempt.operation(), attempt.inputs(), problem);
        return Outcome.progress();
    }

    /** A merge patch with the data and missing metadata: keys to be removed have no value. */
    private Map<String, ?> fields(
            HasMetadata object, Map<String, String> annotations, Map<String, String> data, Set<String> formerKeys) {
        Map<String, @Nullable String> changes = new TreeMap<>();
        formerKeys.forEach(key -> changes.put(key, null));
        changes.putAll(data);
        Map<String, Object> fields = new HashMap<>(ClaimMetadata.missing(object, settings.allLabels(), annotations));
        fields.put("data", changes);
        return fields;
    }

    private ObjectMeta metadata(ObjectBucketClaim claim, String name) {
        return new ObjectMetaBuilder()
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(name)
                .withLabels(settings.allLabels())
                .withFinalizers(ObjectBucketNames.FINALIZER)
                .withOwnerReferences(Metadata.ownerReference(claim))
                .build();
    }
}
