package io.bucketwright.cosi.vendors;

/** What a driver does when access is granted to an account that has access already. */
public enum SecondGrant {
    /** Returns the keys of the first grant. */
    SAME_KEYS,
    /** Creates a key beside those of the first grant. */
    ANOTHER_KEY,
    /** Creates a key; that of the first grant ends. */
    REPLACES_KEY,
    ALREADY_EXISTS,
    FAILS,
    /** Its process ends without an answer. */
    PANICS
}
