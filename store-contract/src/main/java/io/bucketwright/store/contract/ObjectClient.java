package io.bucketwright.store.contract;

import java.util.List;

/** An application with its credentials. Every method throws {@link Refused} if the store denies access. */
public interface ObjectClient {

    void put(String key, String text);

    String get(String key);

    /** The keys that start with the prefix. */
    List<String> list(String prefix);

    void delete(String key);

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
