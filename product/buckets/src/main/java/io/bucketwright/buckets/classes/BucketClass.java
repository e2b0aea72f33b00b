package io.bucketwright.buckets.classes;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A StorageClass for buckets with valid parameters.
 *
 * @param reference the class as it was when it was read
 * @param reclaimPolicy what happens to a new bucket when its claim is deleted; existing buckets are always retained
 */
public record BucketClass(BucketClassRef reference, Parameters parameters, ReclaimPolicy reclaimPolicy) {

    /**
     * Parses a class.
     *
     * @param field the class's field reclaimPolicy. Kubernetes defaults it to Delete, so Retain was set on purpose
     * @throws Invalid naming the parameter that is wrong
     */
    public static BucketClass read(BucketClassRef reference, String field) {
        Parameters parameters = parse(reference.parameters());
        ReclaimPolicy ofField = ReclaimPolicy.of(field).orElse(ReclaimPolicy.DELETE);
        ReclaimPolicy policy = parameters
                .find(ClassParameters.RECLAIM_POLICY)
                .map(ClassParameters::policy)
                .orElse(ofField);
        boolean destroys = policy == ReclaimPolicy.DELETE || policy == ReclaimPolicy.ERASE;
        if (ofField == ReclaimPolicy.RETAIN && destroys) {
            throw new Invalid("parameter reclaimPolicy " + policy + " contradicts the field reclaimPolicy Retain of the"
                    + " class: create a class in which the two agree");
        }
        BucketClass read = new BucketClass(reference, parameters, policy);
        if (read.adoptsUntagged() || read.adoptsFromAnyNamespace()) {
            // No ownership tag names the namespace then: only the pattern separates the namespaces.
            read.adoptable().requireUnambiguous();
        }
        if (read.adoptsOrphans() && read.adoptable().isEmpty()) {
            throw new Invalid(
                    "parameter adoptOrphans needs the parameter adopt, which names the buckets that claims of the"
                            + " class may adopt");
        }
        read.administrator();
        read.access();
        read.options();
        return read;
    }

    /** The class as the intent of a bucket recorded it. */
    public static BucketClass of(BucketIntent intent) {
        BucketClassRef reference =
                new BucketClassRef(intent.storageClassName(), intent.storageClassUid(), intent.parameters());
        return new BucketClass(
                reference, parse(reference.parameters()), intent.policy().orElse(ReclaimPolicy.RETAIN));
    }

    private static Parameters parse(Map<String, String> raw) {
        return ClassParameters.schema().parse(only(raw, ClassParameters.ownNames()));
    }

    private static Map<String, String> only(Map<String, String> raw, Set<String> names) {
        Map<String, String> selected = new HashMap<>(raw);
        selected.keySet().retainAll(names);
        return selected;
    }

    public String name() {
        return reference.name();
    }

    /** Empty if claims of this class get new buckets. */
    public Optional<BucketName> existingBucket() {
        return parameters.find(ClassParameters.BUCKET_NAME).map(BucketName::new);
    }

    /** Whether the class limits the names of new buckets. */
    public boolean limitsNewNames() {
        return !patterns(ClassParameters.ALLOWED_BUCKET_NAMES).isEmpty()
                || parameters.find(ClassParameters.NAME_PREFIX).isPresent();
    }

    /** The beginning of the names of new buckets of a namespace; empty if the class sets none. */
    public String namePrefix(String namespace) {
        return textOrEmpty(ClassParameters.NAME_PREFIX).replace(NamePatterns.NAMESPACE, namespace);
    }

    /**
     * Checks that a claim in that namespace may create a bucket of that name.
     *
     * @throws Invalid if the class does not allow it
     */
    public void requireNewName(BucketName bucket, String namespace) {
        String prefix = namePrefix(namespace);
        if (!bucket.text().startsWith(prefix)) {
            throw new Invalid("bucketName " + InputText.quote(bucket.text())
                    + " is not allowed: names of new buckets of the class " + name() + " begin with "
                    + InputText.quote(prefix));
        }
        NamePatterns allowed = patterns(ClassParameters.ALLOWED_BUCKET_NAMES);
        if (!allowed.isEmpty() && !allowed.match(bucket.text(), namespace)) {
            throw new Invalid("bucketName " + InputText.quote(bucket.text())
                    + " is not allowed: the parameter allowedBucketNames of the class " + name() + " is "
                    + String.join(", ", allowed.patterns()));
        }
    }

    public boolean allows(String namespace) {
        NamePatterns allowed = patterns(ClassParameters.ALLOWED_NAMESPACES);
        return allowed.isEmpty() || allowed.match(namespace, namespace);
    }

    /** Whether a claim in that namespace may adopt the existing bucket of that name. */
    public boolean adopts(String bucket, String namespace) {
        return adoptable().match(bucket, namespace);
    }

    public boolean adoptsUntagged() {
        return parameters.isTrue(ClassParameters.ADOPT_UNTAGGED);
    }

    public OnOpenBucket onOpenBucket() {
        return OnOpenBucket.parse(parameters.text(ClassParameters.ON_OPEN_BUCKET));
    }

    /** Whether a claim may adopt buckets that claims of other namespaces released. */
    public boolean adoptsFromAnyNamespace() {
        return ClassParameters.anyNamespace(parameters.text(ClassParameters.ADOPT_FROM));
    }

    /** Whether a claim may adopt a bucket whose claim no longer exists, although nobody released it. */
    public boolean adoptsOrphans() {
        return parameters.isTrue(ClassParameters.ADOPT_ORPHANS);
    }

    public AllowedOptions allowedOptions() {
        AllowedOptions allowed = AllowedOptions.parse(textOrEmpty(ClassParameters.ALLOWED_OPTIONS));
        return patterns(ClassParameters.ALLOWED_BUCKET_OWNERS).isEmpty()
                ? allowed
                : allowed.and(Capability.BUCKET_OWNER);
    }

    /**
     * Checks that a claim in that namespace may name that user as the owner of its bucket.
     *
     * @throws Invalid if the class does not allow it
     */
    public void requireBucketOwner(OwningUser user, String namespace) {
        boolean ofClass = options().find(OwningUser.class).filter(user::equals).isPresent();
        if (!ofClass && !patterns(ClassParameters.ALLOWED_BUCKET_OWNERS).match(user.name(), namespace)) {
            throw new Invalid("bucketOwner " + InputText.quote(user.name())
                    + " is not allowed: the parameter allowedBucketOwners of the class does not name that user for"
                    + " claims in this namespace");
        }
    }

    /** The options that the class sets on every bucket. */
    public BucketOptions options() {
        return BucketOptions.parse(only(reference.parameters(), ClassParameters.optionNames()));
    }

    public Access access() {
        return Access.of(ClassParameters.accessMode(parameters.text(ClassParameters.ACCESS_MODE)))
                .withPrefix(textOrEmpty(ClassParameters.PREFIX));
    }

    public KeyRenames renames() {
        return KeyRenames.parse(textOrEmpty(ClassParameters.RENAME_KEYS));
    }

    public Duration rotationOverlap() {
        return ClassParameters.duration(parameters.text(ClassParameters.ROTATION_OVERLAP));
    }

    public boolean labelsAsTags() {
        return parameters.isTrue(ClassParameters.LABELS_AS_TAGS);
    }

    /** Empty if the store needs no credentials. */
    public SecretName administrator() {
        SecretName named =
                new SecretName(textOrEmpty(ClassParameters.SECRET_NAMESPACE), textOrEmpty(ClassParameters.SECRET_NAME));
        return named.isEmpty() ? SecretName.ofRook(reference.parameters()) : named;
    }

    private NamePatterns adoptable() {
        return NamePatterns.ofExisting(textOrEmpty(ClassParameters.ADOPT));
    }

    /** Whether the administrator confirms that the store of this class is the one that was at this location before. */
    public boolean isSameStoreAs(Object location) {
        String former = normalized(location.toString());
        return Arrays.stream(textOrEmpty(ClassParameters.SAME_STORE_AS).split(",", -1))
                .map(BucketClass::normalized)
                .anyMatch(former::equals);
    }

    private static String normalized(String location) {
        String text = location.strip();
        try {
            return Endpoint.parse(text).toString().toLowerCase(Locale.ROOT);
        } catch (Invalid withAccount) {
            return text.toLowerCase(Locale.ROOT);
        }
    }

    private NamePatterns patterns(String parameter) {
        return NamePatterns.parse(textOrEmpty(parameter));
    }

    private String textOrEmpty(String parameter) {
        return parameters.find(parameter).orElse("");
    }
}
