package io.bucketwright.cosi.wire;

/** The operations of a driver; each has its own errors. */
public enum Operation {
    CREATE,
    DELETE,
    GRANT,
    REVOKE
}
