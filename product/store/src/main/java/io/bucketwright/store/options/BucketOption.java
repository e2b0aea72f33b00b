package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

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
        public Quota narrowedBy(Quota other) {
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

    /**
     * Rules for the expiration and transition of objects.
     *
     * @param json rules in the JSON format of the S3 API: {@code {"Rules": [...]}}
     */
    record Lifecycle(String json) implements BucketOption {
        public Lifecycle {
            json = text("lifecycle", json);
        }
    }

    /**
     * A raw bucket policy.
     *
     * @param json a policy in the store's own format
     * @param restricted whether a tenant wrote it: the store then accepts only permissions that a principal can have, for
     *     everybody or for the owner's principal, and nothing that binds the administrator
     */
    record Policy(String json, boolean restricted) implements BucketOption {
        public Policy {
            json = text("policy", json);
        }

        /** A policy of the administrator. */
        public Policy(String json) {
            this(json, false);
        }
    }

    /**
     * Cross-origin resource sharing.
     *
     * @param json rules in the JSON format of the S3 API: {@code {"CORSRules": [...]}}
     */
    record Cors(String json) implements BucketOption {
        public Cors {
            json = text("cors", json);
        }
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

    private static String text(String field, String json) {
        String trimmed = json.strip();
        if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) {
            throw new Invalid(field + " " + InputText.quote(json) + " must be JSON");
        }
        return trimmed;
    }
}
