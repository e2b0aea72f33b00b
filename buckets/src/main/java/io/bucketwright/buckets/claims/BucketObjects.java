package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketSource;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.KeyRenames;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How an ObjectBucket of ours looks: when it is recorded, when it is complete, and what of it is repaired. */
record BucketObjects(Settings settings) {

    private static final int LONGEST_NAME = 253;
    private static final int HASH = 10;

    /** {@code obc-<namespace>-<name>} where that is free and fits, otherwise with a hash of the uid behind it. */
    static String name(String namespace, String claim, String uid, boolean taken) {
        String plain = "obc-" + namespace + "-" + claim;
        if (!taken && plain.length() <= LONGEST_NAME) {
            return plain;
        }
        String hash = HexFormat.of().formatHex(UidRandom.sha256(uid)).substring(0, HASH);
        int room = LONGEST_NAME - HASH - 1;
        String cut = plain.substring(0, Math.min(plain.length(), room));
        while (!Character.isLetterOrDigit(cut.charAt(cut.length() - 1))) {
            cut = cut.substring(0, cut.length() - 1);
        }
        return cut + "-" + hash;
    }

    /** The intent, before the store is called. */
    ObjectBucket recorded(String name, ObjectBucketClaim claim, BucketClass bucketClass, ChosenBucket chosen) {
        ObjectReference claimRef = claimRef(claim);
        BucketIntent intent = BucketIntent.of(
                settings.provisioner().text(),
                bucketClass.reference(),
                claimRef,
                chosen.origin(),
                chosen.name().text(),
                bucketClass.reclaimPolicy());
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withLabels(settings.allLabels())
                .withFinalizers(ObjectBucketNames.FINALIZER)
                .build());
        bucket.setSpec(ObjectBucketSpec.builder()
                .storageClassName(bucketClass.name())
                .reclaimPolicy(bucketClass.reclaimPolicy().text())
                .claimRef(claimRef)
                .objectBucketSource(BucketSource.of(settings.provisioner().text()))
                .intent(intent)
                // Two schemas in the field have no field for an intent; a bucket without one could not be released.
                .additionalState(intent.toState())
                .build());
        return bucket;
    }

    /** For a schema that knows Delete and Retain only: the harmless word in the field, the truth in the intent. */
    static ObjectBucket withKnownPolicy(ObjectBucket bucket) {
        ObjectBucket simpler = new ObjectBucket();
        simpler.setMetadata(bucket.getMetadata());
        simpler.setSpec(bucket.getSpec().toBuilder()
                .reclaimPolicy(ReclaimPolicy.RETAIN.text())
                .build());
        return simpler;
    }

    /** What of a recorded bucket is not as we wrote it; empty if all is. */
    Map<String, ?> repairs(ObjectBucket bucket, BucketIntent intent) {
        Map<String, Object> spec = new HashMap<>();
        if (!intent.storageClassName().equals(bucket.getSpec().storageClassName())) {
            spec.put("storageClassName", intent.storageClassName());
        }
        @Nullable String policy = bucket.getSpec().reclaimPolicy();
        if (!intent.reclaimPolicy().equals(policy)
                && !ReclaimPolicy.RETAIN.text().equals(policy)) {
            spec.put("reclaimPolicy", intent.reclaimPolicy());
        }
        // One that names nobody is what a schema makes of it that knows no fields there.
        boolean namesAnother = bucket.getSpec()
                .claim()
                .filter(claim -> claim.getName() != null)
                .filter(claim -> !intent.claimUid().equals(claim.getUid())
                        || !intent.claimName().equals(claim.getName())
                        || !intent.claimNamespace().equals(claim.getNamespace()))
                .isPresent();
        if (namesAnother) {
            spec.put(
                    "claimRef",
                    Map.of(
                            "apiVersion", bucket.getApiVersion(),
                            "kind", "ObjectBucketClaim",
                            "namespace", intent.claimNamespace(),
                            "name", intent.claimName(),
                            "uid", intent.claimUid()));
        }
        Map<String, Object> fields = new HashMap<>(Marks.metadata(bucket, settings.allLabels()));
        if (!spec.isEmpty()) {
            fields.put("spec", spec);
        }
        return fields;
    }

    /** The store's answer, for {@link Step.Complete}. */
    static Map<String, ?> completed(
            BucketRecord record, Handed handed, KeyRenames renames, String rotatedFor, Instant overlapUntil) {
        Map<String, @Nullable Object> state = new TreeMap<>();
        handed.made().map(ProvisionedBucket::state).orElse(Map.of()).forEach((key, value) -> {
            if (!key.startsWith("bucketwright.io/")) {
                state.put(key, value);
            }
        });
        Map<String, String> digests = handed.secretDigests();
        String digest = Digest.of(digests);
        state.put(BucketRecord.SECRET_KEYS, String.join(",", new TreeMap<>(digests).keySet()));
        state.put(ObjectBucketNames.SECRET_DIGEST_STATE, digest);
        state.put(BucketRecord.KEY_ID, handed.keyId());
        if (!handed.options().isEmpty()) {
            state.put(BucketRecord.OPTIONS, handed.options());
        }
        handed.connection().ifPresent(connection -> {
            state.put(
                    BucketRecord.ENDPOINT_DIGEST,
                    BucketRecord.digest(
                            connection.endpoint().host(),
                            connection.endpoint().port(),
                            connection.bucket().text(),
                            handed.handover().config()));
            state.put(BucketRecord.RENAMES, BucketRecord.digest(renames));
        });
        if (!rotatedFor.isEmpty()) {
            state.put(BucketRecord.ROTATED_FOR, rotatedFor);
        }
        boolean renewed = record.complete() && !record.keyId().isEmpty();
        state.put(BucketRecord.PREVIOUS_KEY, renewed ? record.keyId() : null);
        state.put(BucketRecord.PREVIOUS_KEY_UNTIL, renewed ? overlapUntil.toString() : null);
        Map<String, Object> spec = new HashMap<>();
        spec.put("additionalState", state);
        spec.put("secretDigest", digest);
        handed.connection().ifPresent(connection -> spec.put("endpoint", endpoint(record, connection, handed)));
        return Map.of("spec", spec);
    }

    /** The previous key is gone. */
    static Map<String, ?> retired() {
        Map<String, @Nullable Object> state = new HashMap<>();
        state.put(BucketRecord.PREVIOUS_KEY, null);
        state.put(BucketRecord.PREVIOUS_KEY_UNTIL, null);
        return Map.of("spec", Map.of("additionalState", state));
    }

    /** These options are in force. */
    static Map<String, ?> applied(String options) {
        return Map.of("spec", Map.of("additionalState", Map.of(BucketRecord.OPTIONS, options)));
    }

    private static Map<String, ?> endpoint(BucketRecord record, Connection connection, Handed handed) {
        Endpoint address = connection.endpoint();
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("bucketHost", address.host());
        fields.put("bucketPort", address.port());
        fields.put("bucketName", connection.bucket().text());
        fields.put("ssl", address.secure());
        fields.put("securePort", address.secure() ? address.port() : null);
        if (connection instanceof Connection.S3 s3) {
            fields.put("region", s3.region());
            fields.put("subRegion", s3.subRegion());
        }
        Map<String, @Nullable Object> config = new TreeMap<>();
        record.config().keySet().forEach(old -> config.put(old, null));
        config.putAll(handed.handover().config());
        fields.put("additionalConfig", config);
        return fields;
    }

    static ObjectReference claimRef(ObjectBucketClaim claim) {
        return new ObjectReferenceBuilder()
                .withApiVersion(claim.getApiVersion())
                .withKind(claim.getKind())
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .build();
    }
}
