package io.bucketwright.cosi.wire;

/** What a driver can be asked to do; each has errors of its own. */
public enum Operation {
    CREATE,
    DELETE,
    GRANT,
    REVOKE
}
