package io.bucketwright.store.errors;

/** Whether and when a caller should retry after a {@link StoreException}. */
public enum Retry {
    /** The call fails until the claim, its class or the administrator's Secret changes: do not retry before. */
    REQUIRES_CHANGE,
    /** The call may succeed later without a change in the cluster: retry with back-off. */
    BACK_OFF
}
