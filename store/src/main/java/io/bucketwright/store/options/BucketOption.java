package io.bucketwright.store.options;


import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One setting of a bucket. A setting that nobody made is not managed: what the bucket has there is left alone. */
public sealed interface BucketOption {

    /** What a store must be capable of to set it. */
    Capability needs();

    /**
     * How much the bucket may hold.
     *
     * @param maxBytes {@link #UNLIMITED}, or that many
     * @param maxObjects {@link #UNLIMITED}, or that many
     */
    record Quota(long maxBytes, long maxObjects) implements BucketOption {
        public static final long UNLIMITED = -1;

        public Quota {
            if (maxBytes < UNLIMITED || maxObjects < UNLIMITED) {
                throw new Invalid("a quota must not be negative");
            }
        }

        /** The tighter of the two, for each limit. */
        public Quota narrowedBy(Quota other) {
            return new Quota(tighter(maxBytes, other.maxBytes), tighter(maxObjects, other.maxObjects));
        }

        @Override
        public Capability needs() {
            return Capability.QUOTA;
        }

        private static long tighter(long one, long other) {
            return one == UNLIMITED ? other : other == UNLIMITED ? one : Math.min(one, other);
        }
    }

    record Versioning(boolean enabled) implements BucketOption {
        @Override
        public Capability needs() {
            return Capability.VERSIONING;
        }
    }

    /**
     * Can only be set while the bucket is made, in most stores.
     *
     * @param days how long each new object is locked; 0 for no default
     */
    record ObjectLock(Mode mode, int days) implements BucketOption {
        public enum Mode {
            /** Objects can be locked; none is by default. */
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

        @Override
        public Capability needs() {
            return Capability.OBJECT_LOCK;
        }
    }

    /**
     * What happens to objects as they grow old.
     *
     * @param json rules as S3's API has them, in JSON: {@code {"Rules": [...]}}
     */
    record Lifecycle(String json) implements BucketOption {
        public Lifecycle {
            json = text("lifecycle", json);
        }

        @Override
        public Capability needs() {
            return Capability.LIFECYCLE;
        }
    }

    /**
     * Who else may do what, in the store's own language.
     *
     * @param json a policy in the store's own language
     */
    record Policy(String json) implements BucketOption {
        public Policy {
            json = text("policy", json);
        }

        @Override
        public Capability needs() {
            return Capability.POLICY;
        }
    }

    /**
     * Which web pages may use the bucket.
     *
     * @param json rules as S3's API has them, in JSON: {@code {"CORSRules": [...]}}
     */
    record Cors(String json) implements BucketOption {
        public Cors {
            json = text("cors", json);
        }

        @Override
        public Capability needs() {
            return Capability.CORS;
        }
    }

    /** Tags to have beside those that are there; the others stay. */
    record Tags(Map<String, String> tags) implements BucketOption {
        /** Tags that begin so are marks, and nobody else's. */
        public static final String RESERVED = "bucketwright.io/";

        private static final int LONGEST_KEY = 128;
        private static final int LONGEST_VALUE = 256;

        public Tags {
            tags = Map.copyOf(new TreeMap<>(tags));
            tags.forEach((key, value) -> {
                if (key.isBlank() || key.length() > LONGEST_KEY || value.length() > LONGEST_VALUE) {
                    throw new Invalid("tag " + InputText.quote(key)
                            + " must have a key of 1 to 128 characters and a value of at most 256");
                }
                if (key.toLowerCase(Locale.ROOT).startsWith(RESERVED)) {
                    throw new Invalid("tag " + InputText.quote(key) + " must not begin with \"" + RESERVED
                            + "\", which marks whose a bucket is");
                }
            });
        }

        @Override
        public Capability needs() {
            return Capability.TAGS;
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

        /** As S3 writes it. */
        public String s3Name() {
            return s3Name;
        }

        @Override
        public Capability needs() {
            return Capability.CANNED_ACL;
        }
    }

    /** What those may do who show no credentials at all. */
    enum AnonymousAccess implements BucketOption {
        PRIVATE,
        /** List and get objects. */
        READ_ONLY,
        /** Put objects. */
        WRITE_ONLY,
        /** List, get and put objects. */
        READ_WRITE;

        @Override
        public Capability needs() {
            return Capability.ANONYMOUS_ACCESS;
        }
    }

    private static String text(String field, String json) {
        String trimmed = json.strip();
        if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) {
            throw new Invalid(field + " " + InputText.quote(json) + " must be JSON");
        }
        return trimmed;
    }
}
