package io.bucketwright.store.contract;

import java.util.List;

/** An application, with what was handed to it. Every method throws {@link Refused} if the store does not let it. */
public interface ObjectClient {

    void put(String key, String text);

    String get(String key);

    /** The keys that begin so. */
    List<String> list(String prefix);

    void delete(String key);

    /** Tries what no application may do with its bucket. */
    void overreach(Overreach what);

    /** What no application may do. */
    enum Overreach {
        /** See the buckets of others. */
        LIST_BUCKETS,
        /** Delete its own bucket. */
        DELETE_BUCKET,
        /** Make another bucket. */
        CREATE_BUCKET,
        /** Change the bucket's policy. */
        PUT_POLICY,
        /** Change the bucket's tags, and with them whose it is. */
        PUT_TAGS,
        /** Change the bucket's ACL. */
        PUT_ACL,
        /** Change the bucket's versioning. */
        PUT_VERSIONING
    }

    /** The store does not let this application do that. */
    final class Refused extends RuntimeException {
        public Refused(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
