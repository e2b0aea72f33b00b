package io.bucketwright.store.connection;

/** The protocol that applications use with a store. COSI has the same three. */
public enum StoreProtocol {
    S3,
    AZURE_BLOB,
    GCS
}
