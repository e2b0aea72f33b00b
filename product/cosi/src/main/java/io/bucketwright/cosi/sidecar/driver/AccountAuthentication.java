package io.bucketwright.cosi.sidecar.driver;

/** How applications authenticate with an account. */
public enum AccountAuthentication {
    KEY,
    IAM,
    /** The class requests something else; the driver decides. */
    UNKNOWN
}
