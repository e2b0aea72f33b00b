package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The keys of options in classes and claims, with alternative spellings. Rook's quotas for a user and for a bucket are one
 * option here, because a principal has one bucket. NooBaa's placement options are not supported.
 */
@SuppressWarnings("ImmutableEnumChecker") // The lists are unmodifiable, the parsers have no state.
public enum OptionKey {
    BUCKET_OWNER(OwningUser::new, "bucketOwner"),
    MAX_SIZE(text -> new Quota(Quantity.parse("maxSize", text), Quota.UNLIMITED), "maxSize", "bucketMaxSize"),
    MAX_OBJECTS(
            text -> new Quota(Quota.UNLIMITED, Quantity.parse("maxObjects", text)), "maxObjects", "bucketMaxObjects"),
    VERSIONING(OptionKey::versioning, "versioning", "versioned", "bucketVersioning"),
    OBJECT_LOCK(OptionKey::objectLock, "objectLock", "bucketObjectLock"),
    LIFECYCLE(Lifecycle::new, "lifecycle", "bucketLifecycle"),
    POLICY(Policy::new, "policy", "bucketPolicy"),
    CORS(Cors::new, "cors", "bucketCors"),
    TAGS(OptionKey::tags, "tags", "bucketTags"),
    CANNED_ACL(OptionKey::cannedAcl, "cannedAcl", "cannedBucketACL"),
    ANONYMOUS_ACCESS(OptionKey::anonymousAccess, "anonymousAccess", "anonymousAccessMode");

    private final Function<String, BucketOption> parser;
    private final List<String> keys;

    OptionKey(Function<String, BucketOption> parser, String... keys) {
        this.parser = parser;
        this.keys = List.of(keys);
    }

    /** The accepted spellings of the key, the preferred one first. */
    public List<String> keys() {
        return keys;
    }

    static BucketOptions parse(Map<String, String> options) {
        Map<Capability, BucketOption> parsed = new EnumMap<>(Capability.class);
        new TreeMap<>(options).forEach((key, value) -> {
            BucketOption option = forKey(key).parser.apply(value);
            parsed.merge(option.needs(), option, (one, other) -> combine(key, one, other));
        });
        return new BucketOptions(List.copyOf(parsed.values()));
    }

    static boolean isKnown(String key) {
        return Arrays.stream(values()).anyMatch(spelling -> spelling.keys().contains(key));
    }

    private static OptionKey forKey(String key) {
        return Arrays.stream(values())
                .filter(spelling -> spelling.keys().contains(key))
                .findFirst()
                .orElseThrow(() -> new Invalid("option " + InputText.quote(key) + " is unknown; known options: "
                        + Arrays.stream(values())
                                .map(spelling -> spelling.keys().getFirst())
                                .collect(Collectors.joining(", "))));
    }

    private static BucketOption combine(String key, BucketOption one, BucketOption other) {
        if (one instanceof Quota first && other instanceof Quota second) {
            return first.narrowedBy(second);
        }
        if (one.equals(other)) {
            return one;
        }
        throw new Invalid("option " + InputText.quote(key) + " contradicts another spelling of the same option");
    }

    private static BucketOption versioning(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "enabled" -> new Versioning(true);
            case "false", "suspended" -> new Versioning(false);
            default ->
                throw new Invalid("versioning " + InputText.quote(text) + " must be true, false, Enabled or Suspended");
        };
    }

    private static BucketOption objectLock(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split(":", -1);
        try {
            if (parts.length == 1 && (parts[0].equals("enabled") || parts[0].equals("true"))) {
                return new ObjectLock(ObjectLock.Mode.ENABLED, 0);
            }
            if (parts.length == 2 && (parts[0].equals("governance") || parts[0].equals("compliance"))) {
                return new ObjectLock(
                        ObjectLock.Mode.valueOf(parts[0].toUpperCase(Locale.ROOT)), Integer.parseInt(parts[1]));
            }
        } catch (NumberFormatException notANumber) {
            // Rejected below, like every other malformed value.
        }
        throw new Invalid("objectLock " + InputText.quote(text)
                + " must be \"enabled\", \"governance:<days>\" or \"compliance:<days>\"");
    }

    private static BucketOption tags(String text) {
        return new Tags(InputText.pairs(
                Stream.of(text.split(",", -1)),
                () -> new Invalid("tags " + InputText.quote(text)
                        + " must be key=value pairs, separated by commas, each key once")));
    }

    private static BucketOption cannedAcl(String text) {
        String name = text.startsWith("BucketCannedACL") ? text.substring("BucketCannedACL".length()) : text;
        return switch (name.toLowerCase(Locale.ROOT).replace("-", "")) {
            case "private" -> CannedAcl.PRIVATE;
            case "publicread" -> CannedAcl.PUBLIC_READ;
            case "publicreadwrite" -> CannedAcl.PUBLIC_READ_WRITE;
            case "authenticatedread" -> CannedAcl.AUTHENTICATED_READ;
            default ->
                throw new Invalid("cannedAcl " + InputText.quote(text) + " must be one of "
                        + Arrays.stream(CannedAcl.values())
                                .map(CannedAcl::s3Name)
                                .collect(Collectors.joining(", ")));
        };
    }

    private static BucketOption anonymousAccess(String text) {
        return switch (text.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
            case "private", "modeunspecified" -> AnonymousAccess.PRIVATE;
            case "ro", "publicread", "readonly" -> AnonymousAccess.READ_ONLY;
            case "wo", "publicwrite", "writeonly" -> AnonymousAccess.WRITE_ONLY;
            case "rw", "publicreadwrite", "readwrite" -> AnonymousAccess.READ_WRITE;
            default ->
                throw new Invalid("anonymousAccess " + InputText.quote(text) + " must be one of private, ro, wo, rw");
        };
    }
}
