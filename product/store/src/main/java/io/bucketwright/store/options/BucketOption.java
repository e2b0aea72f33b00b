package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One setting of a bucket. A setting without an option is not managed: a store leaves it unchanged. */
public sealed interface BucketOption {

    /** The capability that a store needs to set this option. */
    default Capability needs() {
        return switch (this) {
            case OwningUser _ -> Capability.BUCKET_OWNER;
            case Quota _ -> Capability.QUOTA;
            case Versioning _ -> Capability.VERSIONING;
            case ObjectLock _ -> Capability.OBJECT_LOCK;
            case Lifecycle _ -> Capability.LIFECYCLE;
            case Policy _ -> Capability.POLICY;
            case Cors _ -> Capability.CORS;
            case Tags _ -> Capability.TAGS;
            case CannedAcl _ -> Capability.CANNED_ACL;
            case AnonymousAccess _ -> Capability.ANONYMOUS_ACCESS;
        };
    }

    /** Whether every new bucket has this setting, on every store: then it requests nothing. */
    default boolean isDefault() {
        return equals(new Versioning(false)) || this == CannedAcl.PRIVATE || this == AnonymousAccess.PRIVATE;
    }

    /**
     * Whether a bucket with the other setting is not what this {@linkplain #isDefault() default} says: it is open to everybody,
     * or it has versions because of its object lock.
     */
    default boolean isContradictedBy(BucketOption other) {
        return this instanceof Versioning
                ? other instanceof ObjectLock
                : (other instanceof CannedAcl || other instanceof AnonymousAccess) && !other.isDefault();
    }

    /** The option as a claim sets it. */
    default BucketOption ofClaim() {
        return this;
    }

    /**
     * Merges this option of a class with one of the same kind of a claim.
     *
     * @throws Invalid if the claim changes what the class sets
     */
    default BucketOption narrowedBy(BucketOption claim) {
        if (equals(claim)) {
            return this;
        }
        throw new Invalid("option " + needs().text() + " is set by the class and cannot be changed by a claim");
    }

    /**
     * The user of the store that owns the bucket from its creation on, instead of one that the store creates for it.
     *
     * @param name the name of an existing user
     */
    record OwningUser(String name) implements BucketOption {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,127}");

        public OwningUser {
            if (!NAME.matcher(name).matches()) {
                throw new Invalid(
                        "bucketOwner " + InputText.quote(name)
                                + " must be the name of a user of the store: 1 to 128 letters, digits and the characters . _ @ -");
            }
        }
    }

    /**
     * Limits the size of the bucket.
     *
     * @param maxBytes the maximum size in bytes, or {@link #UNLIMITED}
     * @param maxObjects the maximum number of objects, or {@link #UNLIMITED}
     */
    record Quota(long maxBytes, long maxObjects) implements BucketOption {
        public static final long UNLIMITED = -1;

        public Quota {
            if (maxBytes < UNLIMITED || maxObjects < UNLIMITED) {
                throw new Invalid("a quota must not be negative");
            }
        }

        /** The lower of the two limits, for size and number. */
        @Override
        public Quota narrowedBy(BucketOption claim) {
            Quota other = (Quota) claim;
            return new Quota(lower(maxBytes, other.maxBytes), lower(maxObjects, other.maxObjects));
        }

        private static long lower(long one, long other) {
            return one == UNLIMITED ? other : other == UNLIMITED ? one : Math.min(one, other);
        }
    }

    record Versioning(boolean enabled) implements BucketOption {}

    /**
     * Object lock. Most stores can only set it when they create the bucket.
     *
     * @param days the default retention of new objects in days; 0 for no default retention
     */
    record ObjectLock(Mode mode, int days) implements BucketOption {
        public enum Mode {
            /** Objects can be locked, but are not by default. */
            ENABLED,
            GOVERNANCE,
            COMPLIANCE
        }

        public ObjectLock {
            if (mode == Mode.ENABLED ? days != 0 : days < 1) {
                throw new Invalid("objectLock " + mode.name().toLowerCase(Locale.ROOT) + " with " + days
                        + " days must be \"enabled\", \"governance:<days>\" or \"compliance:<days>\"");
            }
        }
    }

    /** Rules for the expiration and transition of objects. */
    record Lifecycle(List<Lifecycle.Rule> rules) implements BucketOption {
        public Lifecycle {
            rules = List.copyOf(rules);
        }

        /**
         * Parses rules in the JSON format of the S3 API: {@code {"Rules": [...]}}.
         *
         * @throws Invalid if a field is unknown or malformed
         */
        public static Lifecycle parse(String json) {
            return new Lifecycle(RuleParser.lifecycle(json));
        }

        /**
         * What happens with which objects.
         *
         * @param actions one of each kind, but any number of transitions
         */
        public record Rule(Optional<String> id, boolean enabled, Filter filter, List<Action> actions) {
            public Rule {
                actions = List.copyOf(actions);
            }
        }

        /** The objects that have all of these. */
        public record Filter(
                Optional<String> prefix,
                Optional<Tag> tag,
                Optional<Integer> largerThan,
                Optional<Integer> smallerThan) {

            static Filter prefix(String prefix) {
                return new Filter(Optional.of(prefix), Optional.empty(), Optional.empty(), Optional.empty());
            }
        }

        public record Tag(String key, String value) {}

        /** What happens with objects. A store checks which of the values it needs. */
        public sealed interface Action {}

        public record Expiration(Optional<Integer> days, Optional<Instant> date, Optional<Boolean> deleteMarkers)
                implements Action {}

        public record NoncurrentExpiration(Optional<Integer> days, Optional<Integer> newerVersions) implements Action {}

        /** Aborts incomplete multipart uploads. */
        public record UploadAbort(Optional<Integer> days) implements Action {}

        public record Transition(Optional<Integer> days, Optional<Instant> date, Optional<String> storageClass)
                implements Action {}

        public record NoncurrentTransition(Optional<Integer> days, Optional<String> storageClass) implements Action {}
    }

    /**
     * A raw bucket policy.
     *
     * @param document a policy in the store's own format, which is JSON
     * @param restricted whether a tenant wrote it: the store then accepts only permissions that a principal can have, for
     *     everybody or for the owner's principal, and nothing that binds the administrator
     */
    record Policy(OptionJson document, boolean restricted) implements BucketOption {

        /** A policy of the administrator. */
        public Policy(String json) {
            this(OptionJson.of("policy", json), false);
        }

        @Override
        public Policy ofClaim() {
            return new Policy(document, true);
        }
    }

    /** Cross-origin resource sharing. */
    record Cors(List<Cors.Rule> rules) implements BucketOption {
        public Cors {
            rules = List.copyOf(rules);
        }

        /**
         * Parses rules in the JSON format of the S3 API: {@code {"CORSRules": [...]}}.
         *
         * @throws Invalid if a field is unknown or malformed
         */
        public static Cors parse(String json) {
            return new Cors(RuleParser.cors(json));
        }

        public record Rule(
                Optional<String> id,
                List<String> allowedHeaders,
                List<String> allowedMethods,
                List<String> allowedOrigins,
                List<String> exposeHeaders,
                Optional<Integer> maxAgeSeconds) {}
    }

    /** Tags to add to the bucket. Other tags are kept. */
    record Tags(Map<String, String> tags) implements BucketOption {
        /** The prefix of ownership tags, which options must not use. */
        public static final String RESERVED = "bucketwright.io/";

        private static final int MAX_KEY_LENGTH = 128;
        private static final int MAX_VALUE_LENGTH = 256;

        public Tags {
            tags = Map.copyOf(new TreeMap<>(tags));
            tags.forEach((key, value) -> {
                if (key.isBlank() || key.length() > MAX_KEY_LENGTH || value.length() > MAX_VALUE_LENGTH) {
                    throw new Invalid("tag " + InputText.quote(key)
                            + " must have a key of 1 to 128 characters and a value of at most 256");
                }
                if (key.toLowerCase(Locale.ROOT).startsWith(RESERVED)) {
                    throw new Invalid("tag " + InputText.quote(key) + " must not start with \"" + RESERVED
                            + "\", which is reserved for ownership tags");
                }
            });
        }

        /** Adds the tags of the claim. */
        @Override
        public Tags narrowedBy(BucketOption claim) {
            Map<String, String> union = new HashMap<>(((Tags) claim).tags);
            tags.forEach((key, value) -> {
                String wanted = union.put(key, value);
                if (wanted != null && !wanted.equals(value)) {
                    throw new Invalid(
                            "tag " + InputText.quote(key) + " is set by the class and cannot be changed by a claim");
                }
            });
            return new Tags(union);
        }
    }

    enum CannedAcl implements BucketOption {
        PRIVATE("private"),
        PUBLIC_READ("public-read"),
        PUBLIC_READ_WRITE("public-read-write"),
        AUTHENTICATED_READ("authenticated-read");

        private final String s3Name;

        CannedAcl(String s3Name) {
            this.s3Name = s3Name;
        }

        /** The name in the S3 API. */
        public String s3Name() {
            return s3Name;
        }
    }

    /** What anonymous clients may do. */
    enum AnonymousAccess implements BucketOption {
        PRIVATE,
        /** List and get objects. */
        READ_ONLY,
        /** Put objects. */
        WRITE_ONLY,
        /** List, get and put objects. */
        READ_WRITE
    }

    /**
     * The keys of options in classes and claims, with alternative spellings. Rook's quotas for a user and for a bucket are one
     * option here, because a principal has one bucket. NooBaa's placement options are not supported.
     */
    @SuppressWarnings("ImmutableEnumChecker") // The lists are unmodifiable, the parsers have no state.
    enum OptionKey {
        BUCKET_OWNER(OwningUser::new, "bucketOwner"),
        MAX_SIZE(text -> new Quota(Quantity.parse("maxSize", text), Quota.UNLIMITED), "maxSize", "bucketMaxSize"),
        MAX_OBJECTS(
                text -> new Quota(Quota.UNLIMITED, Quantity.parse("maxObjects", text)),
                "maxObjects",
                "bucketMaxObjects"),
        VERSIONING(OptionKey::versioning, "versioning", "versioned", "bucketVersioning"),
        OBJECT_LOCK(OptionKey::objectLock, "objectLock", "bucketObjectLock"),
        LIFECYCLE(Lifecycle::parse, "lifecycle", "bucketLifecycle"),
        POLICY(Policy::new, "policy", "bucketPolicy"),
        CORS(Cors::parse, "cors", "bucketCors"),
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
            if (one instanceof Quota || one.equals(other)) {
                return one.narrowedBy(other);
            }
            throw new Invalid("option " + InputText.quote(key) + " contradicts another spelling of the same option");
        }

        private static BucketOption versioning(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "true", "enabled" -> new Versioning(true);
                case "false", "suspended" -> new Versioning(false);
                default ->
                    throw new Invalid(
                            "versioning " + InputText.quote(text) + " must be true, false, Enabled or Suspended");
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
                    throw new Invalid(
                            "anonymousAccess " + InputText.quote(text) + " must be one of private, ro, wo, rw");
            };
        }
    }
}
