package io.bucketwright.buckets.objects;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import io.bucketwright.store.options.AppliedOptions;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An ObjectBucket as one observation sees it: the recorded intent, the class parsed from it once, and the state that the
 * controller keeps in {@code additionalState}.
 */
public final class RecordedBucket {

    static final String SECRET_KEYS = ObjectBucketNames.PREFIX + "secret-keys";
    static final String OPTIONS = ObjectBucketNames.PREFIX + "options";
    static final String STORE_OPTIONS = ObjectBucketNames.PREFIX + "store-options";
    static final String SET_OPTIONS = ObjectBucketNames.PREFIX + "set-options";
    static final String OWN_OPTION = ObjectBucketNames.PREFIX + "claim-";
    static final String POLICY_FIELD = ObjectBucketNames.PREFIX + "reclaim-policy-field";
    static final String ENDPOINT_DIGEST = ObjectBucketNames.PREFIX + "endpoint-digest";
    static final String RENAMES = ObjectBucketNames.PREFIX + "renames";

    static final String APPLICATION_SECRET = ObjectBucketNames.PREFIX + "application-secret";
    static final String APPLICATION_CONFIG_MAP = ObjectBucketNames.PREFIX + "application-config-map";
    static final String SINGLE_SECRET = ObjectBucketNames.PREFIX + "single-secret";
    static final String CA_BUNDLE_KEY = ObjectBucketNames.PREFIX + "ca-bundle-key";

    private final ObjectBucket object;
    private final Optional<BucketIntent> intent;
    private @Nullable BucketClass bucketClass;
    private @Nullable ClaimGrants grants;

    public RecordedBucket(ObjectBucket object) {
        this.object = object;
        this.intent = object.getSpec().recordedIntent();
    }

    /** The claim that an ObjectBucket belongs to, from its intent or its claimRef; empty if neither contains a uid. */
    public static Optional<ObjectKey> claimOf(ObjectBucket bucket) {
        return bucket.getSpec()
                .recordedIntent()
                .filter(intent ->
                        !intent.claimUid().isEmpty() && !intent.claimName().isEmpty())
                .map(intent -> new ObjectKey(intent.claimNamespace(), intent.claimName(), intent.claimUid()))
                .or(() -> bucket.getSpec().claim().flatMap(RecordedBucket::key));
    }

    private static Optional<ObjectKey> key(ObjectReference claim) {
        @Nullable String uid = claim.getUid();
        @Nullable String name = claim.getName();
        @Nullable String namespace = claim.getNamespace();
        return uid == null || uid.isEmpty() || name == null || name.isEmpty()
                ? Optional.empty()
                : Optional.of(new ObjectKey(namespace == null ? "" : namespace, name, uid));
    }

    public ObjectBucket object() {
        return object;
    }

    /** Empty in ObjectBuckets of other provisioners. */
    public Optional<BucketIntent> findIntent() {
        return intent;
    }

    public BucketIntent intent() {
        return intent.orElseThrow(() -> new IllegalStateException(this + " has no intent"));
    }

    public BucketName bucketName() {
        return new BucketName(intent().bucketName());
    }

    /** Whether the bucket was created for this claim; if that is unknown, it is treated as an existing one. */
    public BucketOrigin origin() {
        return intent().bucketOrigin().orElse(BucketOrigin.EXISTING);
    }

    /**
     * The class as the intent recorded it.
     *
     * @throws Invalid if a recorded parameter is invalid
     */
    public BucketClass bucketClass() {
        @Nullable BucketClass parsed = bucketClass;
        if (parsed == null) {
            parsed = BucketClass.of(intent());
            bucketClass = parsed;
        }
        return parsed;
    }

    /** Whether the class lets all its claims use one bucket, whoever owns it. */
    public boolean isShared() {
        return origin() == BucketOrigin.EXISTING
                && bucketClass().existingBucket().isPresent();
    }

    /** Whether the connection data of the bucket is recorded. */
    public boolean complete() {
        return spec().reachableAt().flatMap(BucketEndpoint::bucket).isPresent()
                && spec().recordedSecretDigest().isPresent();
    }

    /** Whether that is the endpoint which applications have. */
    public boolean isAt(Endpoint endpoint) {
        return object.getSpec()
                .reachableAt()
                .filter(recorded -> endpoint.host().equals(recorded.bucketHost())
                        && Objects.equals(endpoint.port(), recorded.bucketPort()))
                .isPresent();
    }

    /** Whether the endpoint is unchanged since the controller wrote it. A changed one must not reach applications. */
    public boolean endpointUnchanged() {
        String recorded = state(ENDPOINT_DIGEST);
        return recorded.isEmpty()
                || spec().reachableAt()
                        .map(RecordedBucket::digest)
                        .filter(recorded::equals)
                        .isPresent();
    }

    /** Covers only fields that all known schemas keep, so that a field dropped by a schema does not look like a change. */
    private static String digest(BucketEndpoint endpoint) {
        return digest(
                Objects.requireNonNullElse(endpoint.bucketHost(), ""),
                Objects.requireNonNullElse(endpoint.bucketPort(), 0),
                endpoint.bucket().orElse(""),
                endpoint.config());
    }

    static String digest(Connection connection, Map<String, String> config) {
        Endpoint address = connection.endpoint();
        return digest(address.host(), address.port(), connection.bucket().text(), config);
    }

    private static String digest(String host, int port, String bucket, Map<String, String> config) {
        Map<String, String> all = new TreeMap<>();
        config.forEach((key, value) -> all.put("config." + key, value));
        all.put("host", host);
        all.put("port", Integer.toString(port));
        all.put("bucket", bucket);
        return ContentDigest.of(all);
    }

    /** Whether the keys of Secret and ConfigMap were written with these renames. */
    public boolean uses(KeyRenames renames) {
        return state(RENAMES).equals(digest(renames));
    }

    /** Empty if there are none. */
    static String digest(KeyRenames renames) {
        return renames.names().isEmpty() ? "" : ContentDigest.of(renames.names());
    }

    /** The recorded content of the ConfigMap, without the CA bundle. */
    public Map<String, String> plainConfig() {
        return spec().reachableAt().map(BucketEndpoint::config).orElse(Map.of());
    }

    /** The recorded content of the ConfigMap. */
    public Map<String, String> config() {
        Map<String, String> recorded = plainConfig();
        String key = state(CA_BUNDLE_KEY);
        if (key.isEmpty()) {
            return recorded;
        }
        // It is long, and the intent has it already.
        Map<String, String> all = new TreeMap<>(recorded);
        all.put(key, caBundle());
        return all;
    }

    /** The names of Secret and ConfigMap. */
    public ApplicationObjects applicationObjects() {
        String claim = claimOf(object).map(ObjectKey::name).orElse("");
        return new ApplicationObjects(
                spec().state().getOrDefault(APPLICATION_SECRET, claim),
                spec().state().getOrDefault(APPLICATION_CONFIG_MAP, claim),
                Boolean.parseBoolean(state(SINGLE_SECRET)));
    }

    /** The content of Secret and ConfigMap. */
    public ConnectionData connectionData(ProvisionedBucket provisioned, KeyRenames renames) {
        ConnectionData data = ConnectionData.of(provisioned, renames).withCaBundle(caBundle(), renames);
        return applicationObjects().singleSecret() ? data.withAllInSecret() : data;
    }

    String caBundle() {
        return caBundle(intent().parameters());
    }

    public static String caBundle(Map<String, String> parameters) {
        return parameters.getOrDefault(CaBundle.PARAMETER, "");
    }

    /** Whether the Secret holds the recorded credentials; keys that others added to it are ignored. */
    public boolean matches(ChildObject.Owned<?> secret) {
        return spec().recordedSecretDigest().orElse("").equals(secret.digest(secretKeys()));
    }

    public Set<String> secretKeys() {
        return Arrays.stream(state(SECRET_KEYS).split(",", -1))
                .filter(key -> !key.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The credentials of the claim. */
    public ClaimGrants grants() {
        try {
            return readGrants();
        } catch (UnreadableLedgerException e) {
            throw new IllegalStateException("The ledger of " + this + " " + e.getMessage(), e);
        }
    }

    /**
     * The same, if they have not been read yet.
     *
     * @throws UnreadableLedgerException if nothing may be done because of it
     */
    public ClaimGrants readGrants() throws UnreadableLedgerException {
        @Nullable ClaimGrants read = grants;
        if (read == null) {
            read = new ClaimGrants(GrantLedgerCodec.decode(state(ObjectBucketNames.GRANTS), usualGrant()));
            grants = read;
        }
        return read;
    }

    /** The id of the key in the Secret; empty if there is none. */
    public Set<String> publishedKey() {
        String id = grants().keyId();
        return id.isEmpty() ? Set.of() : Set.of(id);
    }

    /** The ids of all keys that the store has issued for the claim and that are not known to be deleted. */
    public Set<String> issuedKeys() {
        return grants().keys();
    }

    public boolean hasReadableGrants() {
        try {
            return readGrants().ledger().issued() >= 0;
        } catch (UnreadableLedgerException e) {
            return false;
        }
    }

    /** What is the same in all grants of a claim. */
    Grant usualGrant() {
        return ClaimGrants.usual(
                claimOf(object).orElseThrow(), applicationObjects().secret());
    }

    /** Whether the bucket was created with these options of the claim that its store declares. */
    public boolean hasStoreOptions(ClaimOptions options) {
        return state(STORE_OPTIONS).equals(digestOfStore(options));
    }

    /** Empty if there are none. */
    static String digestOfStore(ClaimOptions options) {
        return options.ofStore().isEmpty() ? "" : ContentDigest.of(options.ofStore());
    }

    /**
     * The options that the controller has set on the bucket, or was about to set when it stopped. They are recorded before
     * the store is called.
     */
    public AppliedOptions setOptions() {
        return AppliedOptions.parse(state(SET_OPTIONS));
    }

    /** What is closed when the bucket is kept: all that can open a new bucket, because a late request may not be recorded. */
    public AppliedOptions optionsToClose() {
        return origin() == BucketOrigin.NEW ? AppliedOptions.ALL_OPENING : openingOptions();
    }

    /** Those of {@link #setOptions()} that give others access; all kinds if an older release did not record them. */
    public AppliedOptions openingOptions() {
        boolean recorded = spec().state().containsKey(SET_OPTIONS);
        return recorded ? setOptions().opening() : AppliedOptions.ALL_OPENING;
    }

    /** The claim's options for the controller itself, as they were when its credentials and access were last written. */
    public Map<String, String> ownOptions() {
        Map<String, String> own = new TreeMap<>();
        ClaimOptions.CONTROLLER_OPTIONS.forEach(option -> {
            String value = state(OWN_OPTION + option);
            if (!value.isEmpty()) {
                own.put(option, value);
            }
        });
        return own;
    }

    /** Whether an administrator has changed the reclaim policy to Retain, which takes precedence over the intent. */
    public boolean isRetainedByAdministrator() {
        String retain = ReclaimPolicy.RETAIN.text();
        return retain.equals(spec().reclaimPolicy())
                && !retain.equals(intent().reclaimPolicy())
                && !retain.equals(state(POLICY_FIELD));
    }

    /** What may happen to the bucket when it is released: as recorded, or as an administrator has changed it. */
    public Reclaim reclaim() {
        return isRetainedByAdministrator()
                ? Reclaim.RETAIN
                : Reclaim.of(intent().policy().orElse(ReclaimPolicy.RETAIN).text());
    }

    /** The reclaim policy as the field had it at first: some schemas do not allow all policies in it. */
    String policyField() {
        String field = state(POLICY_FIELD);
        return field.isEmpty() ? intent().reclaimPolicy() : field;
    }

    /** The digest of the options that the store has applied; empty while they are being changed. */
    public String options() {
        return state(OPTIONS);
    }

    private String state(String key) {
        return spec().state().getOrDefault(key, "");
    }

    private ObjectBucketSpec spec() {
        return object.getSpec();
    }

    @Override
    public String toString() {
        return "ObjectBucket " + object.getMetadata().getName();
    }
}
