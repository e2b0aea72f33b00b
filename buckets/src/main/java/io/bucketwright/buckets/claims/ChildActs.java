package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketClaim;
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
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The steps about a claim's Secret and ConfigMap. An object of that name which is not the claim's is never touched. */
final class ChildActs {

    private final Settings settings;
    private final ClaimCaches caches;
    private final ApiWriter writer;
    private final KubernetesClient reader;
    private final Recollections memory;
    private final Failures failures;

    ChildActs(
            Settings settings,
            ClaimCaches caches,
            ApiWriter writer,
            KubernetesClient reader,
            Recollections memory,
            Failures failures) {
        this.settings = settings;
        this.caches = caches;
        this.writer = writer;
        this.reader = reader;
        this.memory = memory;
        this.failures = failures;
    }

    Outcome put(Step.PutSecret step) {
        SortedMap<String, String> data = Digest.base64(step.handed().handover().secret());
        Secret wanted = new SecretBuilder()
                .withMetadata(metadata(step.claim()))
                .withType("Opaque")
                .withData(data)
                .build();
        Outcome outcome = put(step.on(), step.current(), wanted, Secret.class, changes(data, step.former()));
        if (step.handed().made().isEmpty()) {
            memory.change(step.on().key(), Recollection::withoutHanded);
        }
        return outcome;
    }

    Outcome put(Step.PutConfigMap step) {
        ConfigMap wanted = new ConfigMapBuilder()
                .withMetadata(metadata(step.claim()))
                .withData(step.content())
                .build();
        return put(step.on(), step.current(), wanted, ConfigMap.class, changes(step.content(), step.former()));
    }

    /** Reads the Secret once: it may be there and only lack the label by which we find it. */
    Outcome look(Step.LookForSecret step) {
        @Nullable Secret found = read(step.claim(), Secret.class);
        if (found == null) {
            memory.change(step.on().key(), Recollection::withSecretMissed);
            return Outcome.progress();
        }
        if (!Marks.isOwnedBy(found, step.on().key().uid())) {
            failures.remember(step.on(), Binding.notOurs("Secret", step.on().key()));
            return Outcome.progress();
        }
        Map<String, ?> missing = Marks.metadata(found, settings.allLabels());
        if (missing.isEmpty()) {
            return Outcome.finish(Result.retry(
                    "The cache has not shown Secret " + step.on().key() + " yet"));
        }
        writer.merge(found, missing);
        return Outcome.progress();
    }

    /** Remembers what is in a Secret that somebody deleted, then lets it go; the next one gets the same. */
    Outcome save(Step.SaveSecret step) {
        BucketRecord record = new BucketRecord(step.bucket());
        caches.secrets
                .get(step.on().key().namespace(), step.on().key().name())
                .map(secret -> new Child.Ours<>(secret, digests(secret)))
                .filter(record::isHeldBy)
                .ifPresent(intact ->
                        memory.change(step.on().key(), old -> old.withHanded(saved(intact.bare(), record))));
        writer.merge(step.bare(), Marks.withoutFinalizer(step.bare()));
        return Outcome.progress();
    }

    private static Handed saved(Secret secret, BucketRecord record) {
        SortedMap<String, SecretValue> values = new TreeMap<>();
        @Nullable Map<String, String> data = secret.getData();
        if (data != null) {
            record.secretKeys().forEach(key -> {
                @Nullable String value = data.get(key);
                if (value != null) {
                    byte[] bytes = Base64.getDecoder().decode(value);
                    values.put(key, SecretValue.of(new String(bytes, StandardCharsets.UTF_8)));
                }
            });
        }
        return new Handed(Optional.empty(), new ConnectionData(new TreeMap<>(record.config()), values), "");
    }

    private static Map<String, String> digests(Secret secret) {
        @Nullable Map<String, String> data = secret.getData();
        return Digest.ofEach(data == null ? Map.of() : data);
    }

    private <T extends HasMetadata> Outcome put(
            Step.Concerned on, Child<T> current, T wanted, Class<T> type, Map<String, @Nullable String> data) {
        if (current instanceof Child.Ours<T> ours) {
            writer.merge(ours.bare(), fields(ours.bare(), data));
            return Outcome.progress();
        }
        try {
            writer.create(wanted);
            return Outcome.progress();
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                throw e;
            }
        }
        @Nullable T found = read(wanted, type);
        if (found == null) {
            return Outcome.finish(Result.retry(type.getSimpleName() + " " + on.key() + " was there and is gone"));
        }
        if (Marks.isOwnedBy(found, on.key().uid())) {
            writer.merge(found, fields(found, data));
        } else {
            failures.remember(on, Binding.notOurs(type.getSimpleName(), on.key()));
        }
        return Outcome.progress();
    }

    /** As a merge patch: what is not there any more is named with no value. */
    private static Map<String, @Nullable String> changes(Map<String, String> data, Set<String> former) {
        Map<String, @Nullable String> changes = new TreeMap<>();
        former.forEach(key -> changes.put(key, null));
        changes.putAll(data);
        return changes;
    }

    private Map<String, ?> fields(HasMetadata object, Map<String, @Nullable String> data) {
        Map<String, Object> fields = new HashMap<>(Marks.metadata(object, settings.allLabels()));
        fields.put("data", data);
        return fields;
    }

    private <T extends HasMetadata> @Nullable T read(HasMetadata like, Class<T> type) {
        try {
            return reader.resources(type)
                    .inNamespace(like.getMetadata().getNamespace())
                    .withName(like.getMetadata().getName())
                    .get();
        } catch (KubernetesClientException e) {
            throw new ApiException(
                    new ApiError.Unavailable("Reading " + type.getSimpleName() + " "
                            + like.getMetadata().getNamespace() + "/"
                            + like.getMetadata().getName() + " failed: " + e.getMessage()),
                    e);
        }
    }

    private ObjectMeta metadata(ObjectBucketClaim claim) {
        return new ObjectMetaBuilder()
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withLabels(settings.allLabels())
                .withFinalizers(ObjectBucketNames.FINALIZER)
                .withOwnerReferences(Marks.owner(claim))
                .build();
    }
}
