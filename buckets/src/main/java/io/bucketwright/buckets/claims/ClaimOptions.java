package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a claim and its class together say about a bucket and its principal. A claim only ever narrows. */
record ClaimOptions(BucketOptions options, Access access, KeyRenames renames, boolean encrypted, String digest) {

    private static final Set<String> OURS =
            Set.of(ClassParameters.ACCESS_MODE, ClassParameters.PREFIX, ClassParameters.RENAME_KEYS);

    /** @throws Invalid if the claim says something unknown, wrong, or more than its class allows */
    static ClaimOptions read(ObjectBucketClaim claim, BucketClass bucketClass, BucketOrigin origin) {
        ObjectBucketClaimSpec spec = claim.getSpec();
        Map<String, String> wanted = new TreeMap<>(spec.options());
        Map<String, String> ours = new TreeMap<>(wanted);
        ours.keySet().retainAll(OURS);
        wanted.keySet().removeAll(OURS);
        putOnce(wanted, "cannedAcl", text(spec.cannedBucketACL()), "cannedBucketACL");
        putOnce(wanted, "versioning", text(spec.versioned()), "versioned");
        Map<String, String> tags = tags(claim, bucketClass);
        BucketOptions options =
                bucketClass.options().narrowedBy(BucketOptions.parse(wanted), bucketClass.allowedOptions());
        if (!tags.isEmpty()) {
            options = options.narrowedBy(
                    BucketOptions.of(new BucketOption.Tags(tags)), new AllowedOptions(Set.of(Capability.TAGS)));
        }
        if (origin == BucketOrigin.EXISTING && !options.isEmpty()) {
            throw new Invalid("Options cannot be set on an existing bucket, which other claims may share: remove them");
        }
        boolean encrypted = spec.encrypted().orElse(false);
        if (spec.ssl() != null && spec.sslUpperCase() != null && !spec.ssl().equals(spec.sslUpperCase())) {
            throw new Invalid("SSL and ssl are two spellings of one setting and differ: remove one");
        }
        Map<String, String> all = new TreeMap<>(wanted);
        ours.forEach((key, value) -> all.put("claim." + key, value));
        tags.forEach((key, value) -> all.put("label." + key, value));
        return new ClaimOptions(
                options, access(ours, bucketClass), renames(ours, bucketClass), encrypted, Digest.of(all));
    }

    private static Map<String, String> tags(ObjectBucketClaim claim, BucketClass bucketClass) {
        Map<String, String> labels = claim.getMetadata().getLabels();
        if (!bucketClass.labelsAsTags() || labels == null) {
            return Map.of();
        }
        Map<String, String> tags = new TreeMap<>(labels);
        tags.keySet()
                .removeIf(key -> key.equals(ObjectBucketNames.PROVISIONER_LABEL) || key.startsWith(BucketOption.Tags.RESERVED));
        return tags;
    }

    private static Access access(Map<String, String> ours, BucketClass bucketClass) {
        Access ofClass = bucketClass.access();
        AccessMode mode = Optional.ofNullable(ours.get(ClassParameters.ACCESS_MODE))
                .map(AccessMode::parse)
                .orElse(ofClass.mode());
        if (mode != ofClass.mode() && (mode == AccessMode.NONE || ofClass.mode() != AccessMode.READ_WRITE)) {
            throw new Invalid("accessMode " + mode + " is more than, or other than, the class's " + ofClass.mode());
        }
        String prefix = ours.getOrDefault(ClassParameters.PREFIX, "");
        if (prefix.isEmpty()) {
            return Access.of(mode).withPrefix(ofClass.prefix());
        }
        bucketClass.allowedOptions().require(Capability.PREFIX);
        if (!prefix.startsWith(ofClass.prefix())) {
            throw new Invalid(
                    "prefix " + InputText.quote(prefix) + " must begin with the class's " + InputText.quote(ofClass.prefix()));
        }
        return Access.of(mode).withPrefix(prefix);
    }

    private static KeyRenames renames(Map<String, String> ours, BucketClass bucketClass) {
        return bucketClass.renames().overriddenBy(KeyRenames.parse(ours.getOrDefault(ClassParameters.RENAME_KEYS, "")));
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
