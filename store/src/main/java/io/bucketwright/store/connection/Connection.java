package io.bucketwright.store.connection;


import io.bucketwright.store.access.BucketName;

import io.bucketwright.store.errors.StoreException.Invalid;

/** How an application reaches its bucket. Nothing here is secret. */
public sealed interface Connection {

    Endpoint endpoint();

    /** The bucket, container or whatever the store calls it. */
    BucketName bucket();

    /**
     * By the protocol of S3.
     *
     * @param region empty if the store has none
     * @param subRegion empty if the store has none
     * @param pathStyle whether the bucket stands in the path and not in the host name
     */
    record S3(BucketName bucket, Endpoint endpoint, String region, String subRegion, boolean pathStyle)
            implements Connection {}

    /**
     * By the protocol of Azure Blob Storage.
     *
     * @param account the storage account
     */
    record Azure(BucketName bucket, Endpoint endpoint, String account) implements Connection {
        public Azure {
            if (account.isBlank()) {
                throw new Invalid("account must not be empty");
            }
        }
    }

    /**
     * By the protocol of Google Cloud Storage.
     *
     * @param project the project that the bucket is in
     */
    record Gcs(BucketName bucket, Endpoint endpoint, String project) implements Connection {
        public Gcs {
            if (project.isBlank()) {
                throw new Invalid("project must not be empty");
            }
        }
    }
}
