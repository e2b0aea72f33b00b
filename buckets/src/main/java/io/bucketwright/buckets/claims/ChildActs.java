package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.claims.ClaimStep.Attempt;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ContentDigest;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The steps that write the Secret and the ConfigMap. An object that the claim does not own is never changed. */
record ChildActs(
        ProvisionerSettings settings,
        ClaimCaches caches,
        ApiWriter writer,
        KubernetesClient reader,
        ClaimStates states) {

    Outcome write(ClaimStep.WriteSecret step) {
        SortedMap<String, String> data = ContentDigest.base64(step.data().secret());
        Secret secret = new SecretBuilder()
                .withMetadata(metadata(step.claim()))
                .withType("Opaque")
                .withData(data)
                .build();
        Outcome outcome =
                write(step.attempt(), step.current(), secret, Secret.class, changes(data, step.formerKeys()));
        states.update(step.attempt().key(), ClaimState::withSecretWritten);
        return outcome;
    }

    Outcome write(ClaimStep.WriteConfigMap step) {
        ConfigMap configMap = new ConfigMapBuilder()
                .withMetadata(metadata(step.claim()))
                .withData(step.content())
                .build();
        return write(
                step.attempt(),
                step.current(),
                configMap,
                ConfigMap.class,
                changes(step.content(), step.formerKeys()));
    }

    Outcome read(ClaimStep.ReadSecret step) {
        ObjectKey key = step.attempt().key();
        @Nullable Secret found = read(step.claim(), Secret.class);
        if (found == null) {
            states.update(key, ClaimState::withSecretAbsent);
            return Outcome.progress();
        }
        if (!ClaimMetadata.isOwnedBy(found, key.uid())) {
            fail(step.attempt(), ClaimDecision.notOwned("Secret", key));
            return Outcome.progress();
        }
        Map<String, ?> missing = ClaimMetadata.missing(found, settings.allLabels());
        if (missing.isEmpty()) {
            return Outcome.finish(Result.retry("The cache does not contain Secret " + key + " yet"));
        }
        writer.merge(found, missing);
        return Outcome.progress();
    }

    Outcome replace(ClaimStep.ReplaceSecret step) {
        ObjectKey key = step.attempt().key();
        caches.secrets
                .get(key.namespace(), key.name())
                .filter(secret -> step.bucket().matches(ChildObject.owned(secret)))
                .ifPresent(secret -> {
                    ConnectionData data = data(secret, step.bucket());
                    states.update(key, state -> state.withSavedData(data));
                    states.clearFailure(key);
                });
        writer.merge(step.bare(), ClaimMetadata.withoutFinalizer(step.bare()));
        return Outcome.progress();
    }

    private static ConnectionData data(Secret secret, RecordedBucket bucket) {
        SortedMap<String, SecretValue> values = new TreeMap<>();
        @Nullable Map<String, String> data = secret.getData();
        if (data != null) {
            bucket.secretKeys().forEach(key -> {
                @Nullable String value = data.get(key);
                if (value != null) {
                    byte[] bytes = Base64.getDecoder().decode(value);
                    values.put(key, SecretValue.of(new String(bytes, StandardCharsets.UTF_8)));
                }
            });
        }
        return new ConnectionData(new TreeMap<>(bucket.config()), values);
    }

    private <T extends HasMetadata> Outcome write(
            Attempt attempt,
            ChildObject<T> current,
            T complete,
            Class<T> type,
            Map<String, @Nullable String> changes) {
        if (current instanceof ChildObject.Owned<T> owned) {
            writer.merge(owned.bare(), fields(owned.bare(), changes));
            return Outcome.progress();
        }
        try {
            writer.create(complete);
            return Outcome.progress();
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                throw e;
            }
        }
        @Nullable T found = read(complete, type);
        if (found == null) {
            return Outcome.finish(Result.retry(
                    type.getSimpleName() + " " + attempt.key() + " existed and was deleted in the meantime"));
        }
        if (ClaimMetadata.isOwnedBy(found, attempt.key().uid())) {
            writer.merge(found, fields(found, changes));
        } else {
            fail(attempt, ClaimDecision.notOwned(type.getSimpleName(), attempt.key()));
        }
        return Outcome.progress();
    }

    private void fail(Attempt attempt, Problem problem) {
        states.recordFailure(attempt.key(), attempt.operation(), attempt.inputs(), problem);
    }

    /** The data as a merge patch: keys to be removed have no value. */
    private static Map<String, @Nullable String> changes(Map<String, String> data, Set<String> formerKeys) {
        Map<String, @Nullable String> changes = new TreeMap<>();
        formerKeys.forEach(key -> changes.put(key, null));
        changes.putAll(data);
        return changes;
    }

    private Map<String, ?> fields(HasMetadata object, Map<String, @Nullable String> changes) {
        Map<String, Object> fields = new HashMap<>(ClaimMetadata.missing(object, settings.allLabels()));
        fields.put("data", changes);
        return fields;
    }

    private <T extends HasMetadata> @Nullable T read(HasMetadata like, Class<T> type) {
        String namespace = like.getMetadata().getNamespace();
        String name = like.getMetadata().getName();
        try {
            return reader.resources(type).inNamespace(namespace).withName(name).get();
        } catch (KubernetesClientException e) {
            throw new ApiException(
                    new ApiError.Unavailable("Reading " + type.getSimpleName() + " " + namespace + "/" + name
                            + " failed: " + e.getMessage()),
                    e);
        }
    }

    private ObjectMeta metadata(ObjectBucketClaim claim) {
        return new ObjectMetaBuilder()
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withLabels(settings.allLabels())
                .withFinalizers(ObjectBucketNames.FINALIZER)
                .withOwnerReferences(ClaimMetadata.owner(claim))
                .build();
    }
}
