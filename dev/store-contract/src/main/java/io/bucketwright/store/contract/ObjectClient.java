package io.bucketwright.store.contract;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An application with its credentials. Every method throws {@link Refused} if the store denies access. */
public interface ObjectClient {

    void put(String key, String text);

    String get(String key);

    /** The keys that start with the prefix. */
    List<String> list(String prefix);

    void delete(String key);

    /** The locks of objects, in a bucket with object lock; empty if this client cannot use them. */
    default Optional<ObjectLocks> locks() {
        return Optional.empty();
    }

    /** The locks of objects as an application uses them. */
    interface ObjectLocks {

        /** Sets or removes a legal hold. */
        void hold(String key, boolean held);

        boolean isHeld(String key);

        /** Protects an object for a time. Only an administrator may end the time early. */
        void retain(String key, Duration time);

        /** Deletes the only version of an object, and not only its name. */
        void deleteVersion(String key);

        /** Tries to delete the only version of an object in spite of its retention. */
        void deleteVersionBypassingRetention(String key);
    }

    /** Tries an operation that no application may use. */
    void tryForbidden(ForbiddenOperation operation);

    /** An operation that no application may use. */
    enum ForbiddenOperation {
        /** List the buckets of others. */
        LIST_BUCKETS,
        /** Delete its own bucket. */
        DELETE_BUCKET,
        /** Create another bucket. */
        CREATE_BUCKET,
        /** Change the bucket's policy. */
        PUT_POLICY,
        /** Change the bucket's tags, which record its owner. */
        PUT_TAGS,
        /** Change the bucket's ACL. */
        PUT_ACL,
        /** Change the bucket's versioning. */
        PUT_VERSIONING
    }

    /** The store denied access. */
    final class Refused extends RuntimeException {
        public Refused(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
