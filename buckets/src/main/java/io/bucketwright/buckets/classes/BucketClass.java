package io.bucketwright.buckets.classes;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.parameters.Parameters;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A StorageClass for buckets, read once and for all: whatever holds one of these may rely on it.
 *
 * @param reference the class as it stood
 * @param reclaimPolicy what becomes of a new bucket; never of an existing one
 */
public record BucketClass(BucketClassRef reference, Parameters parameters, ReclaimPolicy reclaimPolicy) {

    /**
     * Reads a class.
     *
     * @param field the class's own reclaimPolicy, which Kubernetes defaults to Delete: a Retain was meant
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
            throw new Invalid("parameter reclaimPolicy " + policy + " would destroy what the class's own reclaimPolicy"
                    + " Retain keeps: make a class in which the two agree");
        }
        BucketClass read = new BucketClass(reference, parameters, policy);
        read.administrator();
        read.access();
        read.options();
        return read;
    }

    /** The class as a bucket's intent remembers it. */
    public static BucketClass of(BucketIntent intent) {
        BucketClassRef reference =
                new BucketClassRef(intent.storageClassName(), intent.storageClassUid(), intent.parameters());
        return new BucketClass(
                reference, parse(reference.parameters()), intent.policy().orElse(ReclaimPolicy.RETAIN));
    }

    private static Parameters parse(Map<String, String> raw) {
        Map<String, String> own = raw.entrySet().stream()
                .filter(entry -> ClassParameters.schema().names().contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return ClassParameters.schema().parse(own);
    }

    public String name() {
        return reference.name();
    }

    /** Empty if claims of this class get new buckets. */
    public Optional<BucketName> existingBucket() {
        return parameters.find(ClassParameters.BUCKET_NAME).map(BucketName::new);
    }

    public boolean allows(String namespace) {
        NamePatterns allowed = patterns(ClassParameters.ALLOWED_NAMESPACES);
        return allowed.isEmpty() || allowed.match(namespace, namespace);
    }

    /** Whether a claim of that namespace may take over the existing bucket of that name. */
    public boolean adopts(String bucket, String namespace) {
        return patterns(ClassParameters.ADOPT).match(bucket, namespace);
    }

    public boolean adoptsUnmarked() {
        return parameters.isTrue(ClassParameters.ADOPT_UNMARKED);
    }

    public OnNotEmpty onNotEmpty() {
        return OnNotEmpty.parse(parameters.text(ClassParameters.ON_NOT_EMPTY));
    }

    public AllowedOptions allowedOptions() {
        return AllowedOptions.parse(
                parameters.find(ClassParameters.ALLOWED_OPTIONS).orElse(""));
    }

    /** What the class itself sets on every bucket. */
    public BucketOptions options() {
        return BucketOptions.parse(reference.parameters().entrySet().stream()
                .filter(entry -> ClassParameters.optionNames().contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    public Access access() {
        return Access.of(ClassParameters.accessMode(parameters.text(ClassParameters.ACCESS_MODE)))
                .withPrefix(parameters.find(ClassParameters.PREFIX).orElse(""));
    }

    public KeyRenames renames() {
        return KeyRenames.parse(parameters.find(ClassParameters.RENAME_KEYS).orElse(""));
    }

    public Duration rotationOverlap() {
        return ClassParameters.duration(parameters.text(ClassParameters.ROTATION_OVERLAP));
    }

    public boolean labelsAsTags() {
        return parameters.isTrue(ClassParameters.LABELS_AS_TAGS);
    }

    /** Empty if the store needs no credentials. */
    public SecretName administrator() {
        return new SecretName(
                parameters.find(ClassParameters.SECRET_NAMESPACE).orElse(""),
                parameters.find(ClassParameters.SECRET_NAME).orElse(""));
    }

    private NamePatterns patterns(String parameter) {
        return NamePatterns.parse(parameters.find(parameter).orElse(""));
    }
}
