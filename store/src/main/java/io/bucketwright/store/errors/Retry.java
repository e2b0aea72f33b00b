package io.bucketwright.store.errors;


/** What a caller should do about a {@link StoreException}. */
public enum Retry {
    /** The same call gives the same answer until somebody changes the claim, its class or the administrator's keys. */
    REQUIRES_CHANGE,
    /** The store may answer differently later, without anything changing on our side: try again, ever more rarely. */
    BACK_OFF
}
