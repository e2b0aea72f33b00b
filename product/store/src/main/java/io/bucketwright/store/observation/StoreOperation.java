package io.bucketwright.store.observation;

import java.util.Locale;

/** A method of a store that sends requests. */
public enum StoreOperation {
    PROVISION,
    GRANT,
    DELETE,
    REVOKE,
    CHECK,
    RETIRE,
    ERASE,
    SUSPEND,
    UNSUSPEND,
    UPDATE,
    USAGE,
    RELEASE,
    ADOPT,
    TRANSFER,
    CHECK_CLUSTER,
    LIST_BUCKETS,
    FIND_BUCKET,
    VERIFY;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** As in metrics: in lower case, words joined by a hyphen. */
    public String text() {
        return text;
    }
}
