package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sets and removes options of buckets, all of them in one request; anonymous access also needs roles for everybody. Settings
 * without an option are left unchanged.
 */
record BucketSettings(Buckets buckets, BucketBindings bindings) {

    static final Set<Capability> SUPPORTED = Set.of(
            Capability.VERSIONING,
            Capability.OBJECT_LOCK,
            Capability.LIFECYCLE,
            Capability.CORS,
            Capability.TAGS,
            Capability.ANONYMOUS_ACCESS);

    private static final String VERSIONING = "versioning";
    private static final String RETENTION = "retentionPolicy";
    private static final String LIFECYCLE = "lifecycle";
    private static final String CORS = "cors";
    private static final String LABELS = "labels";
    private static final String IAM = "iamConfiguration";
    private static final String PREVENTION = "publicAccessPrevention";

    /**
     * The fields of a bucket's resource that set these options.
     *
     * @throws Invalid if a value has no equivalent
     */
    static ObjectNode fields(BucketOptions options) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        for (BucketOption option : options.all()) {
            switch (option) {
                case Versioning versioning -> fields.putObject(VERSIONING).put("enabled", versioning.enabled());
                case ObjectLock lock -> {
                    if (lock.days() == 0) {
                        throw new Unsupported("Google Cloud Storage supports objectLock only with a number of days, as"
                                + " governance:30: no predefined role lets an application lock single objects.");
                    }
                    fields.putObject(RETENTION).put("retentionPeriod", seconds(lock));
                }
                case Lifecycle lifecycle -> fields.set(LIFECYCLE, StorageRules.of(lifecycle));
                case Cors cors -> fields.set(CORS, StorageRules.of(cors));
                case Tags tags -> {
                    Labels.check(tags.tags());
                    tags.tags().forEach(fields.withObject("/" + LABELS)::put);
                }
                case AnonymousAccess anonymous -> {
                    if (anonymous != AnonymousAccess.PRIVATE) {
                        fields.withObject("/" + IAM).put(PREVENTION, "inherited");
                    }
                }
                default ->
                    throw new Unsupported("Google Cloud Storage does not support the option "
                            + option.needs().text() + ".");
            }
        }
        return fields;
    }

    /** Sets those options that the bucket does not have yet. */
    void apply(StoreCall call, BucketState bucket, BucketOptions options) {
        ObjectNode wanted = fields(options);
        ObjectNode changes = JsonNodeFactory.instance.objectNode();
        wanted.properties().forEach(field -> {
            if (!isSet(bucket.resource().path(field.getKey()), field.getValue())) {
                changes.set(field.getKey(), field.getValue());
            }
        });
        if (changes.has(LABELS)) {
            Map<String, String> tags = options.find(Tags.class).map(Tags::tags).orElse(Map.of());
            changes.set(LABELS, bucket.changedLabels(tags, Set.of()));
        }
        BucketState changed = changes.isEmpty() ? bucket : buckets.change(call, bucket, changes);
        BucketState current = options.find(AnonymousAccess.class)
                .map(access -> setAnonymous(call, changed, access))
                .orElse(changed);
        options.find(ObjectLock.class)
                .filter(lock -> lock.mode() == ObjectLock.Mode.COMPLIANCE)
                .filter(_ -> !isLocked(current))
                .ifPresent(_ -> buckets.lockRetention(call, current));
    }

    BucketState close(StoreCall call, BucketState bucket) {
        return setAnonymous(call, bucket, AnonymousAccess.PRIVATE);
    }

    /** Without anonymous access, the bucket prevents it, as a new one does. */
    private BucketState setAnonymous(StoreCall call, BucketState bucket, AnonymousAccess access) {
        if (bucket.preventsPublicAccess()) {
            return bucket;
        }
        boolean open = bindings.setAnonymous(call, bucket.bucket(), BucketRole.ofAnonymous(access));
        // The roles changed the bucket.
        BucketState current = buckets.require(call, bucket.bucket());
        if (open) {
            return current;
        }
        ObjectNode prevention = JsonNodeFactory.instance.objectNode();
        prevention.putObject(IAM).put(PREVENTION, BucketState.PREVENTED);
        return buckets.change(call, current, prevention);
    }

    /** Whether the current value has all that the wanted one has. Numbers may be returned as texts. */
    private static boolean isSet(JsonNode current, JsonNode wanted) {
        if (wanted.isObject()) {
            return wanted.properties().stream()
                    .allMatch(field -> isSet(current.path(field.getKey()), field.getValue()));
        }
        return wanted.isArray() ? wanted.equals(current) : wanted.asText().equals(current.asText(""));
    }

    /**
     * Removes options that were set before. Versioning cannot be removed, only suspended; a locked retention policy cannot be
     * removed.
     */
    void remove(StoreCall call, BucketState bucket, AppliedOptions removed) {
        ObjectNode changes = JsonNodeFactory.instance.objectNode();
        JsonNode resource = bucket.resource();
        for (Capability kind : removed.kinds()) {
            switch (kind) {
                case VERSIONING -> {
                    if (resource.path(VERSIONING).path("enabled").asBoolean(false)) {
                        changes.putObject(VERSIONING).put("enabled", false);
                    }
                }
                case OBJECT_LOCK -> {
                    if (resource.has(RETENTION) && !isLocked(bucket)) {
                        changes.putNull(RETENTION);
                    }
                }
                case LIFECYCLE -> clear(resource, changes, LIFECYCLE);
                case CORS -> clear(resource, changes, CORS);
                case TAGS -> {
                    List<String> keys = removed.tags().stream()
                            .filter(bucket.labels()::containsKey)
                            .filter(key -> !key.startsWith(Labels.RESERVED))
                            .toList();
                    if (!keys.isEmpty()) {
                        changes.set(LABELS, bucket.changedLabels(Map.of(), keys));
                    }
                }
                default -> {
                    // Was never set.
                }
            }
        }
        BucketState current = changes.isEmpty() ? bucket : buckets.change(call, bucket, changes);
        if (removed.kinds().contains(Capability.ANONYMOUS_ACCESS)) {
            BucketState _ = close(call, current);
        }
    }

    private static void clear(JsonNode resource, ObjectNode changes, String field) {
        if (resource.has(field)) {
            changes.putNull(field);
        }
    }

    private static boolean isLocked(BucketState bucket) {
        return bucket.resource().path(RETENTION).path("isLocked").asBoolean(false);
    }

    private static String seconds(ObjectLock lock) {
        return Long.toString(Duration.ofDays(lock.days()).toSeconds());
    }
}
