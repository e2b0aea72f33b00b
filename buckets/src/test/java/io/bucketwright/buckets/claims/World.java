package io.bucketwright.buckets.claims;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.MemoryStore;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.requests.ContentDigest;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.queue.Backoff;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A cluster with one claim in it, small enough to be run a thousand times a second; the store calls are the real ones. */
final class World {

    /** What a process that ends in the middle looks like from inside. */
    static final class Death extends RuntimeException {}

    static final String NAMESPACE = "team";
    static final String NAME = "mine";
    static final String UID = "8f1c7c1e-0000-4000-8000-000000000001";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ENDLESS = 64;

    final MemoryStore store = new MemoryStore();
    final ProvisionerSettings settings =
            new ProvisionerSettings(new ProvisionerName("test.io/bucket"), Map.of("app", "x"), () -> "cluster-1", "", false);
    final ObjectKey key = new ObjectKey(NAMESPACE, NAME, UID);
    final Map<String, HasMetadata> objects = new HashMap<>();
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    ObservedClass bucketClass;
    long sharers;
    int writes;
    final List<String> told = new ArrayList<>();
    private InFlightState<ObjectKey, ClaimState> states = states();
    private StoreActs storeActs = storeActs();
    private int dieAtWrite;
    private boolean dieAfter;
    private int uids;

    World(Map<String, String> parameters) {
        bucketClass = new ObservedClass.Usable(BucketClass.read(new BucketClassRef("fast", "class-1", parameters), "Delete"));
    }

    /** The next write but that many ends the process, before or after it takes effect. */
    void dieAt(int write, boolean after) {
        dieAtWrite = write;
        dieAfter = after;
    }

    void claim(ObjectBucketClaimSpec.Builder spec) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName(NAME)
                .withUid(UID)
                .withGeneration(1L)
                .build());
        claim.setSpec(spec.build());
        objects.put("claim", claim);
    }

    @Nullable
    ObjectBucketClaim claim() {
        return (ObjectBucketClaim) objects.get("claim");
    }

    @Nullable
    ObjectBucket bucket() {
        return (ObjectBucket) objects.get("bucket");
    }

    @Nullable
    Secret secret() {
        return (Secret) objects.get("secret");
    }

    @Nullable
    ConfigMap configMap() {
        return (ConfigMap) objects.get("configMap");
    }

    /** Somebody deletes it; finalizers hold it. */
    void delete(String what) {
        @Nullable HasMetadata object = objects.get(what);
        if (object == null) {
            return;
        }
        if (finalizers(object).isEmpty()) {
            objects.remove(what);
        } else if (object.getMetadata().getDeletionTimestamp() == null) {
            object.getMetadata().setDeletionTimestamp(now.toString());
        }
    }

    ClaimObservation observe() {
        return new ClaimObservation(
                key,
                Optional.ofNullable(claim()),
                claim() == null ? new ObservedClass.NotServed() : bucketClass,
                Optional.ofNullable(bucket()).map(RecordedBucket::new),
                false,
                ChildObject.ofSecret(Optional.ofNullable(secret()), key),
                ChildObject.ofConfigMap(Optional.ofNullable(configMap()), key),
                sharers,
                states.get(key),
                states.failure(key),
                now);
    }

    /** Works until there is nothing to do now. */
    Result reconcile() {
        try {
            for (int round = 0; round < ENDLESS; round++) {
                switch (new ClaimDecision(settings).decide(observe())) {
                    case Decision.Finish<ClaimStep>(Result result) -> {
                        if (result instanceof Result.Done) {
                            states.forget(key);
                        }
                        return result;
                    }
                    case Decision.Act<ClaimStep>(ClaimStep step) -> {
                        if (act(step) instanceof Outcome.Finish(Result result)) {
                            return result;
                        }
                    }
                }
            }
        } catch (Death e) {
            states = states();
            storeActs = storeActs();
            return Result.requeueAfter(Duration.ZERO);
        }
        throw new AssertionError("the decision goes round in circles");
    }

    /** Works, and lets time pass where something is waited for, until nothing more will happen by itself. */
    Result settle() {
        for (int round = 0; round < 200; round++) {
            Result result = reconcile();
            if (result instanceof Result.RequeueAfter(Duration after)) {
                now = now.plus(after).plusMillis(1);
            } else {
                return result;
            }
        }
        throw new AssertionError("does not settle: " + reconcile());
    }

    private Outcome act(ClaimStep step) {
        return switch (step) {
            case ClaimStep.CheckStore check -> storeActs.check(check);
            case ClaimStep.Provision provision -> storeActs.provision(provision);
            case ClaimStep.ApplyOptions apply -> storeActs.apply(apply);
            case ClaimStep.DeletePreviousKey delete -> storeActs.deletePreviousKey(delete);
            case ClaimStep.Release release -> storeActs.release(release);
            case ClaimStep.RecordIntent(ObjectBucket bucket) -> write(() -> put("bucket", bucket));
            case ClaimStep.Patch(HasMetadata object, Map<String, ?> fields) -> write(() -> merge(object, fields));
            case ClaimStep.ReadSecret read -> {
                states.update(read.attempt().key(), ClaimState::withSecretAbsent);
                yield Outcome.progress();
            }
            case ClaimStep.WriteSecret write -> {
                Map<String, String> data = ContentDigest.base64(write.data().secret());
                write(() ->
                        put("secret", fresh(new SecretBuilder().withData(data).build(), write.claim())));
                states.update(key, ClaimState::withSecretWritten);
                yield Outcome.progress();
            }
            case ClaimStep.ReplaceSecret replace ->
                write(() -> merge(replace.bare(), ClaimMetadata.withoutFinalizer(replace.bare())));
            case ClaimStep.WriteConfigMap write ->
                write(() -> put(
                        "configMap",
                        fresh(new ConfigMapBuilder().withData(write.content()).build(), write.claim())));
            case ClaimStep.UpdateRecord update -> {
                write(() -> merge(update.bucket(), update.fields()));
                states.update(key, ClaimState::withRecorded);
                yield Outcome.progress();
            }
            case ClaimStep.SetBucketPhase phase ->
                write(() -> merge(
                        phase.bucket(),
                        Map.of("status", Map.of("phase", phase.phase().text()))));
            case ClaimStep.SetClaimStatus status -> {
                write(() -> merge(status.claim(), Map.of("status", status.status().fields(status.claim(), now))));
                states.update(key, old -> old.withReported(status.status().summary(status.claim())));
                yield Outcome.progress();
            }
            case ClaimStep.SendEvent event -> {
                told.add(event.reason());
                states.update(key, old -> old.withReported(event.summary()));
                yield Outcome.progress();
            }
            case ClaimStep.Abandon abandon -> {
                told.add("Abandoned");
                states.update(abandon.key(), ClaimState::withReleased);
                yield Outcome.progress();
            }
            case ClaimStep.RemoveFinalizer(HasMetadata object) ->
                write(() -> merge(object, ClaimMetadata.withoutFinalizer(object)));
            case ClaimStep.Delete(HasMetadata object) -> write(() -> delete(kind(object)));
        };
    }

    private Outcome write(Runnable effect) {
        writes++;
        boolean fatal = dieAtWrite > 0 && --dieAtWrite == 0;
        if (fatal && !dieAfter) {
            throw new Death();
        }
        effect.run();
        if (fatal) {
            throw new Death();
        }
        return Outcome.progress();
    }

    private <T extends HasMetadata> T fresh(T object, ObjectBucketClaim claim) {
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName(NAME)
                .withLabels(settings.allLabels())
                .withFinalizers("objectbucket.io/finalizer")
                .withOwnerReferences(Metadata.ownerReference(claim))
                .build());
        return object;
    }

    private void put(String kind, HasMetadata object) {
        object.getMetadata().setUid("uid-" + ++uids);
        objects.put(kind, copy(object, JSON.createObjectNode()));
    }

    private void merge(HasMetadata like, Map<String, ?> fields) {
        String kind = kind(like);
        @Nullable HasMetadata current = objects.get(kind);
        if (current == null) {
            throw new AssertionError("merging into " + kind + ", which is not there");
        }
        try {
            HasMetadata merged = copy(current, JSON.readTree(Serialization.asJson(fields)));
            objects.put(kind, merged);
            if (merged.getMetadata().getDeletionTimestamp() != null
                    && finalizers(merged).isEmpty()) {
                objects.remove(kind);
            }
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static HasMetadata copy(HasMetadata object, JsonNode patch) {
        try {
            ObjectNode tree = (ObjectNode) JSON.readTree(Serialization.asJson(object));
            overlay(tree, patch);
            return Serialization.unmarshal(tree.toString(), object.getClass());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static void overlay(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue().isObject()) {
                JsonNode below = target.get(field.getKey());
                ObjectNode inner = below instanceof ObjectNode node ? node : target.putObject(field.getKey());
                overlay(inner, field.getValue());
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }

    private static String kind(HasMetadata object) {
        return switch (object) {
            case ObjectBucketClaim _ -> "claim";
            case ObjectBucket _ -> "bucket";
            case Secret _ -> "secret";
            case ConfigMap _ -> "configMap";
            default -> throw new AssertionError("no such kind here: " + object.getKind());
        };
    }

    private static List<String> finalizers(HasMetadata object) {
        @Nullable List<String> finalizers = object.getMetadata().getFinalizers();
        return finalizers == null ? List.of() : finalizers;
    }

    private InFlightState<ObjectKey, ClaimState> states() {
        return new InFlightState<>(Leadership.always(), ClaimState.NONE, Backoff.standard(), new Hand(), new Random(1));
    }

    private StoreActs storeActs() {
        return new StoreActs(
                settings, new SingleStore(store), states, new ActiveCalls(), new ClaimLimits(8, 8, Duration.ofSeconds(10)));
    }

    /** The world's own time. */
    private final class Hand implements TimeSource {
        @Override
        public long nanos() {
            return now.toEpochMilli() * 1_000_000;
        }

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public Alarm after(Duration delay, Runnable task) {
            return () -> {};
        }
    }
}
