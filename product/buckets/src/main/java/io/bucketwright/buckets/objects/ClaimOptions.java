package io.bucketwright.buckets.objects;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a bucket and of the access to it, from the claim and its class. A claim can only restrict what its
 * class allows.
 *
 * @param own the claim's options for the controller itself, as written: access mode, prefix and renames
 * @param tls whether the claim requires a connection with TLS
 * @param ofStore the claim's options that the store declares, not yet validated. They are used when the bucket is created
 * @param digest changes whenever the options do that can be changed later
 */
public record ClaimOptions(
        BucketOptions options,
        Access access,
        KeyRenames renames,
        Map<String, String> own,
        boolean tls,
        Map<String, String> ofStore,
        String digest) {

    /** The options that configure the controller and not the bucket. */
    public static final Set<String> CONTROLLER_OPTIONS =
            Set.of(ClassParameters.ACCESS_MODE, ClassParameters.PREFIX, ClassParameters.RENAME_KEYS);

    /**
     * Parses the options of a claim. Those of its class do not apply to a bucket that it adopts.
     *
     * @throws Invalid if the claim sets an option that is unknown, invalid, or not allowed by its class
     */
    public static ClaimOptions read(ObjectBucketClaim claim, BucketClass bucketClass, BucketOrigin origin) {
        ObjectBucketClaimSpec spec = claim.getSpec();
        Map<String, String> requested = new TreeMap<>(spec.options());
        Map<String, String> own = new TreeMap<>(requested);
        own.keySet().retainAll(CONTROLLER_OPTIONS);
        requested.keySet().removeAll(CONTROLLER_OPTIONS);
        requested.keySet().removeAll(ApplicationObjects.OPTIONS);
        Map<String, String> ofStore = new TreeMap<>(requested);
        ofStore.keySet().retainAll(bucketClass.allowedOptions().ofStore());
        requested.keySet().removeAll(ofStore.keySet());
        putOnce(requested, "cannedAcl", text(spec.cannedBucketACL()), "cannedBucketACL");
        putOnce(requested, "versioning", text(spec.versioned()), "versioned");
        // An adopted bucket is as its former owner left it; a class for new buckets may adopt it.
        boolean adopted =
                origin == BucketOrigin.EXISTING && bucketClass.existingBucket().isEmpty();
        Map<String, String> tags = adopted ? Map.of() : tags(claim, bucketClass);
        BucketOptions ofClaim = BucketOptions.parse(requested);
        ofClaim.find(BucketOption.OwningUser.class)
                .ifPresent(user ->
                        bucketClass.requireBucketOwner(user, claim.getMetadata().getNamespace()));
        BucketOptions ofClass = adopted ? BucketOptions.unmanaged() : bucketClass.options();
        BucketOptions options = ofClass.narrowedBy(ofClaim, bucketClass.allowedOptions());
        requested.entrySet().removeIf(option -> isDefault(option.getKey(), option.getValue()));
        if (!tags.isEmpty()) {
            options = options.narrowedBy(
                    BucketOptions.of(new BucketOption.Tags(tags)), new AllowedOptions(Set.of(Capability.TAGS)));
        }
        if (origin == BucketOrigin.EXISTING && (!options.isEmpty() || !ofStore.isEmpty())) {
            throw new Invalid("Options cannot be set on an existing bucket, which other claims may share: remove them");
        }
        boolean tls = spec.tls().orElse(false);
        if (spec.ssl() != null && spec.sslUpperCase() != null && !spec.ssl().equals(spec.sslUpperCase())) {
            throw new Invalid("SSL and ssl are two spellings of one setting and differ: remove one");
        }
        Map<String, String> all = new TreeMap<>(requested);
        own.forEach((key, value) -> all.put("claim." + key, value));
        tags.forEach((key, value) -> all.put("label." + key, value));
        boolean locks = options.needs().contains(Capability.OBJECT_LOCK);
        if (locks) {
            all.put("access.objectLock", "true");
        }
        return new ClaimOptions(
                options,
                access(own, bucketClass).withObjectLock(locks),
                renames(own, bucketClass),
                own,
                tls,
                ofStore,
                ContentDigest.of(all));
    }

    /**
     * The options that a bucket has, if those of its claim became invalid.
     *
     * @param own as {@link #own}, when the claim was valid
     * @param set the options that the bucket has
     * @param applied their digest
     */
    public static ClaimOptions former(
            Map<String, String> own, BucketClass bucketClass, AppliedOptions set, String applied) {
        return new ClaimOptions(
                BucketOptions.unmanaged(),
                access(own, bucketClass).withObjectLock(set.kinds().contains(Capability.OBJECT_LOCK)),
                renames(own, bucketClass),
                own,
                false,
                Map.of(),
                applied);
    }

    /** What a record of these options contains. */
    public AppliedOptions applied() {
        return AppliedOptions.of(options);
    }

    private static boolean isDefault(String key, String value) {
        return BucketOptions.parse(Map.of(key, value)).all().stream().allMatch(BucketOption::isDefault);
    }

    private static Map<String, String> tags(ObjectBucketClaim claim, BucketClass bucketClass) {
        if (!bucketClass.labelsAsTags()) {
            return Map.of();
        }
        Map<String, String> tags = new TreeMap<>(Metadata.labels(claim));
        tags.keySet()
                .removeIf(key ->
                        key.equals(ObjectBucketNames.PROVISIONER_LABEL) || key.startsWith(BucketOption.Tags.RESERVED));
        return tags;
    }

    private static Access access(Map<String, String> own, BucketClass bucketClass) {
        Access ofClass = bucketClass.access();
        AccessMode mode = Optional.ofNullable(own.get(ClassParameters.ACCESS_MODE))
                .map(AccessMode::parse)
                .orElse(ofClass.mode());
        if (mode != ofClass.mode() && (mode == AccessMode.NONE || ofClass.mode() != AccessMode.READ_WRITE)) {
            throw new Invalid("accessMode " + mode + " is not allowed: the class grants " + ofClass.mode());
        }
        String prefix = own.getOrDefault(ClassParameters.PREFIX, "");
        if (prefix.isEmpty()) {
            return Access.of(mode).withPrefix(ofClass.prefix());
        }
        bucketClass.allowedOptions().require(Capability.PREFIX);
        if (!prefix.startsWith(ofClass.prefix())) {
            throw new Invalid("prefix " + InputText.quote(prefix) + " must begin with the class's "
                    + InputText.quote(ofClass.prefix()));
        }
        return Access.of(mode).withPrefix(prefix);
    }

    private static KeyRenames renames(Map<String, String> own, BucketClass bucketClass) {
        return bucketClass.renames().overriddenBy(KeyRenames.parse(own.getOrDefault(ClassParameters.RENAME_KEYS, "")));
    }

    private static void putOnce(Map<String, String> options, String key, String value, String field) {
        if (!value.isEmpty()) {
            String other = options.putIfAbsent(key, value);
            if (other != null && !other.equals(value)) {
                throw new Invalid(field + " and the option " + key + " contradict each other: remove one");
            }
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
