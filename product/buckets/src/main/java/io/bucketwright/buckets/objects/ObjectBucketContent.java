package io.bucketwright.buckets.objects;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketSource;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The content of an ObjectBucket: when the intent is recorded, when the bucket is complete, and when it drifted. */
public record ObjectBucketContent(ProvisionerSettings settings) {

    private static final int LONGEST_NAME = 253;
    private static final int HASH = 10;

    /** {@code obc-<namespace>-<name>} if that is free and short enough, otherwise followed by a hash of the uid. */
    public static String name(String namespace, String claim, String uid, boolean taken) {
        String plain = "obc-" + namespace + "-" + claim;
        if (!taken && plain.length() <= LONGEST_NAME) {
            return plain;
        }
        String hash = HexFormat.of().formatHex(ContentDigest.sha256(uid)).substring(0, HASH);
        int room = LONGEST_NAME - HASH - 1;
        String cut = plain.substring(0, Math.min(plain.length(), room));
        while (!Character.isLetterOrDigit(cut.charAt(cut.length() - 1))) {
            cut = cut.substring(0, cut.length() - 1);
        }
        return cut + "-" + hash;
    }

    /** A new ObjectBucket with the intent, created before the store is called. */
    public ObjectBucket withIntent(
            String name,
            ObjectBucketClaim claim,
            BucketClass bucketClass,
            RequestedBucket requested,
            ApplicationObjects objects,
            ClaimOptions options,
            Instant now) {
        ObjectReference claimRef = Metadata.reference(claim);
        BucketIntent intent = BucketIntent.of(
                settings.provisioner().text(),
                bucketClass.reference(),
                claimRef,
                requested.origin(),
                requested.name().text(),
                bucketClass.reclaimPolicy());
        Map<String, String> state = new TreeMap<>(intent.toState());
        Grant usual = ClaimGrants.usual(ObjectKey.of(claim), objects.secret());
        state.put(ObjectBucketNames.GRANTS, text(ClaimGrants.requested(usual, now), usual));
        state.put(RecordedBucket.SET_OPTIONS, options.applied().toString());
        if (!options.ofStore().isEmpty()) {
            state.put(RecordedBucket.STORE_OPTIONS, RecordedBucket.digestOfStore(options));
        }
        state.putAll(names(objects, claim.getMetadata().getName()));
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withLabels(settings.allLabels())
                .withFinalizers(ObjectBucketNames.FINALIZER)
                .build());
        bucket.setSpec(new ObjectBucketSpec(
                bucketClass.name(),
                bucketClass.reclaimPolicy().text(),
                claimRef,
                null,
                // The schemas of Rook and NooBaa drop spec.intent; without an intent the bucket could not be released.
                state,
                null,
                BucketSource.of(settings.provisioner().text()),
                intent,
                null,
                Map.of()));
        return bucket;
    }

    /** Only what is not the default: most claims need no record of it. */
    private static Map<String, String> names(ApplicationObjects objects, String claim) {
        Map<String, String> state = new TreeMap<>();
        if (!objects.secret().equals(claim)) {
            state.put(RecordedBucket.APPLICATION_SECRET, objects.secret());
        }
        if (!objects.configMap().equals(claim)) {
            state.put(RecordedBucket.APPLICATION_CONFIG_MAP, objects.configMap());
        }
        if (objects.singleSecret()) {
            state.put(RecordedBucket.SINGLE_SECRET, "true");
        }
        return state;
    }

    /** For a schema that allows only Delete and Retain: Retain in the field, the requested policy in the intent. */
    public static ObjectBucket withKnownPolicy(ObjectBucket bucket) {
        ObjectBucket simpler = new ObjectBucket();
        simpler.setMetadata(bucket.getMetadata());
        String retain = ReclaimPolicy.RETAIN.text();
        Map<String, String> state = new TreeMap<>(bucket.getSpec().state());
        // Otherwise this would look like the decision of an administrator.
        state.put(RecordedBucket.POLICY_FIELD, retain);
        simpler.setSpec(bucket.getSpec().with("reclaimPolicy", retain).with("additionalState", state));
        return simpler;
    }

    /** A merge patch that corrects fields which drifted from the intent; empty if none did. */
    public Map<String, ?> corrections(RecordedBucket recorded) {
        ObjectBucket bucket = recorded.object();
        BucketIntent intent = recorded.intent();
        Map<String, Object> spec = new HashMap<>();
        if (!intent.storageClassName().equals(bucket.getSpec().storageClassName())) {
            spec.put("storageClassName", intent.storageClassName());
        }
        @Nullable String policy = bucket.getSpec().reclaimPolicy();
        if (!intent.reclaimPolicy().equals(policy)
                && !ReclaimPolicy.RETAIN.text().equals(policy)) {
            spec.put("reclaimPolicy", recorded.policyField());
        }
        // A schema that declares no fields of claimRef leaves an empty object: that is not drift.
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
        Map<String, Object> fields = new HashMap<>(ClaimMetadata.missing(bucket, settings.allLabels()));
        if (!spec.isEmpty()) {
            fields.put("spec", spec);
        }
        return fields;
    }

    /**
     * A merge patch that records the connection data which is now in Secret and ConfigMap.
     *
     * @param issued the credentials in the Secret
     * @param options the claim's options, with which the credentials were issued
     * @param applied the digest of the options that the store has applied; empty if unchanged
     * @param grants those of the claim, with these
     */
    public static Map<String, ?> completed(
            RecordedBucket recorded,
            ProvisionedBucket provisioned,
            IssuedCredentials issued,
            ClaimOptions options,
            String applied,
            ClaimGrants grants) {
        // Without the CA bundle, which is long and in the intent already.
        ConnectionData data = ConnectionData.of(provisioned, options.renames());
        Connection connection = provisioned.connection();
        Map<String, @Nullable Object> state = new TreeMap<>(provisioned.state());
        state.keySet().removeIf(key -> key.startsWith(ObjectBucketNames.PREFIX));
        state.putAll(inSecret(issued));
        state.put(RecordedBucket.ENDPOINT_DIGEST, RecordedBucket.digest(connection, data.config()));
        state.put(RecordedBucket.CA_BUNDLE_KEY, caBundleKey(data, recorded.caBundle(), options));
        String renames = RecordedBucket.digest(options.renames());
        state.put(RecordedBucket.RENAMES, renames.isEmpty() ? null : renames);
        state.putAll(own(options));
        if (!applied.isEmpty()) {
            state.put(RecordedBucket.OPTIONS, applied);
        } else if (!options.digest().equals(recorded.options())) {
            // They are applied next; the record before that needs no write of its own.
            state.putAll(optionsToSet(recorded.setOptions().with(options.applied())));
        }
        state.put(ObjectBucketNames.GRANTS, text(grants, recorded.usualGrant()));
        return Map.of(
                "spec",
                Map.of(
                        "additionalState", state,
                        "secretDigest", issued.digest(),
                        "endpoint", endpoint(recorded, connection, data, options)));
    }

    /** A merge patch that records how the store is reached, before there is connection data. */
    public static Map<String, ?> withClass(RecordedBucket recorded, BucketClass bucketClass) {
        Map<String, Object> spec = new HashMap<>(intentField(recorded, bucketClass));
        spec.put("additionalState", intent(recorded, bucketClass).toState());
        return Map.of("spec", spec);
    }

    private static BucketIntent intent(RecordedBucket recorded, BucketClass bucketClass) {
        return recorded.intent()
                .withClass(
                        bucketClass.reference().uid(), bucketClass.reference().parameters());
    }

    /** Empty where the schema has no such field: a part of an intent would be none. */
    private static Map<String, Object> intentField(RecordedBucket recorded, BucketClass bucketClass) {
        if (recorded.object().getSpec().intent() == null) {
            return Map.of();
        }
        Map<String, @Nullable Object> parameters = new HashMap<>();
        recorded.intent().parameters().keySet().forEach(name -> parameters.put(name, null));
        parameters.putAll(bucketClass.reference().parameters());
        return Map.of(
                "intent", Map.of("storageClassUid", bucketClass.reference().uid(), "parameters", parameters));
    }

    /**
     * A merge patch that records how store and bucket are reached now.
     *
     * @param config the new content of the ConfigMap, without the CA bundle
     * @param connection how applications connect; null if that is unchanged
     * @param issued what is in the Secret now; null if it is unchanged
     */
    public static Map<String, ?> moved(
            RecordedBucket recorded,
            BucketClass bucketClass,
            Map<String, String> config,
            @Nullable Connection connection,
            ClaimOptions options,
            @Nullable IssuedCredentials issued) {
        Map<String, Object> spec = new HashMap<>(intentField(recorded, bucketClass));
        Map<String, @Nullable Object> state =
                new TreeMap<>(intent(recorded, bucketClass).toState());
        ConnectionData data = new ConnectionData(new TreeMap<>(config), new TreeMap<>());
        String bundle = RecordedBucket.caBundle(bucketClass.reference().parameters());
        state.put(RecordedBucket.CA_BUNDLE_KEY, caBundleKey(data, bundle, options));
        if (issued != null) {
            state.putAll(inSecret(issued));
            spec.put("secretDigest", issued.digest());
        }
        if (connection != null) {
            state.put(RecordedBucket.ENDPOINT_DIGEST, RecordedBucket.digest(connection, config));
            spec.put("endpoint", endpoint(recorded, connection, data, options));
        }
        spec.put("additionalState", state);
        return Map.of("spec", spec);
    }

    private static @Nullable String caBundleKey(ConnectionData data, String bundle, ClaimOptions options) {
        return data.withCaBundle(bundle, options.renames()).config().keySet().stream()
                .filter(key -> !data.config().containsKey(key))
                .findFirst()
                .orElse(null);
    }

    /** A merge patch that records credentials which are in the Secret since before a crash, and were not recorded then. */
    public static Map<String, ?> withIssued(RecordedBucket recorded, IssuedCredentials issued, ClaimGrants grants) {
        Map<String, @Nullable Object> state = inSecret(issued);
        state.put(ObjectBucketNames.GRANTS, text(grants, recorded.usualGrant()));
        return Map.of("spec", Map.of("additionalState", state, "secretDigest", issued.digest()));
    }

    private static Map<String, @Nullable Object> inSecret(IssuedCredentials issued) {
        Map<String, @Nullable Object> state = new HashMap<>();
        state.put(RecordedBucket.SECRET_KEYS, String.join(",", new TreeSet<>(issued.keys())));
        state.put(ObjectBucketNames.SECRET_DIGEST_STATE, issued.digest());
        return state;
    }

    private static Map<String, @Nullable Object> own(ClaimOptions options) {
        Map<String, @Nullable Object> state = new HashMap<>();
        ClaimOptions.CONTROLLER_OPTIONS.forEach(option ->
                state.put(RecordedBucket.OWN_OPTION + option, options.own().get(option)));
        return state;
    }

    /** A merge patch that records other grants. */
    public static Map<String, ?> withGrants(RecordedBucket recorded, ClaimGrants grants) {
        return state(Map.of(ObjectBucketNames.GRANTS, text(grants, recorded.usualGrant())));
    }

    private static String text(ClaimGrants grants, Grant usual) {
        return GrantLedgerCodec.encode(grants.ledger(), usual);
    }

    /** A merge patch that records options before the store sets them. */
    public static Map<String, ?> withOptionsToSet(AppliedOptions options) {
        return state(optionsToSet(options));
    }

    /** A merge patch that records all options of a claim before its bucket is created with them. */
    public static Map<String, ?> withOptionsOfNewBucket(AppliedOptions toSet, ClaimOptions options) {
        Map<String, @Nullable Object> state = optionsToSet(toSet);
        String digest = RecordedBucket.digestOfStore(options);
        state.put(RecordedBucket.STORE_OPTIONS, digest.isEmpty() ? null : digest);
        return state(state);
    }

    private static Map<String, ?> state(Map<String, ?> state) {
        return Map.of("spec", Map.of("additionalState", state));
    }

    private static Map<String, @Nullable Object> optionsToSet(AppliedOptions options) {
        Map<String, @Nullable Object> state = new HashMap<>();
        state.put(RecordedBucket.OPTIONS, null);
        state.put(RecordedBucket.SET_OPTIONS, options.toString());
        return state;
    }

    /** A merge patch that records the options which the store has applied. */
    public static Map<String, ?> withOptions(ClaimOptions options) {
        Map<String, @Nullable Object> state = own(options);
        state.putAll(optionsToSet(options.applied()));
        state.put(RecordedBucket.OPTIONS, options.digest());
        return Map.of("spec", Map.of("additionalState", state, "endpoint", versioned(options)));
    }

    /** Whether versioning is enabled; absent if neither the claim nor its class sets it. */
    private static Map<String, @Nullable Object> versioned(ClaimOptions options) {
        Map<String, @Nullable Object> field = new HashMap<>();
        field.put(
                "versioned",
                options.options()
                        .find(BucketOption.Versioning.class)
                        .map(BucketOption.Versioning::enabled)
                        .orElse(null));
        return field;
    }

    private static Map<String, ?> endpoint(
            RecordedBucket recorded, Connection connection, ConnectionData data, ClaimOptions options) {
        Endpoint address = connection.endpoint();
        Map<String, @Nullable Object> fields = new HashMap<>(versioned(options));
        fields.put("bucketHost", address.host());
        fields.put("bucketPort", address.port());
        fields.put("bucketName", connection.bucket().text());
        fields.put("ssl", address.secure());
        fields.put("securePort", address.secure() ? address.port() : null);
        @Nullable String region = connection.values().get(ConnectionDataKey.BUCKET_REGION.key());
        if (region != null) {
            fields.put("region", region);
            fields.put("subRegion", "");
        }
        Map<String, @Nullable Object> config = new TreeMap<>();
        recorded.config().keySet().forEach(old -> config.put(old, null));
        config.putAll(data.config());
        fields.put("additionalConfig", config);
        // The name of the same field in the design document; the schemas of others drop it.
        fields.put("additionalConfigData", config);
        return fields;
    }
}
