package io.bucketwright.store.connection;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;

/** How an application connects to its bucket. Contains no secrets. */
public sealed interface Connection {

    Endpoint endpoint();

    /** The bucket or container. */
    BucketName bucket();

    /**
     * A connection with the S3 protocol.
     *
     * @param region empty if the store has none
     * @param subRegion empty if the store has none
     * @param pathStyle whether requests have the bucket in the path instead of the host name
     */
    record S3(BucketName bucket, Endpoint endpoint, String region, String subRegion, boolean pathStyle)
            implements Connection {}

    /**
     * A connection with the protocol of Azure Blob Storage.
     *
     * @param account the storage account
     * @param pathStyle whether requests have the account in the path instead of the host name
     */
    record Azure(BucketName bucket, Endpoint endpoint, String account, boolean pathStyle) implements Connection {
        public Azure {
            if (account.isBlank()) {
                throw new Invalid("account must not be empty");
            }
        }

        /** The URL of the Blob service, as SDKs and connection strings have it. */
        public String serviceUrl() {
            return endpoint + (pathStyle ? "/" + account : "");
        }
    }

    /**
     * A connection with the protocol of Google Cloud Storage.
     *
     * @param project the project of the bucket
     */
    record Gcs(BucketName bucket, Endpoint endpoint, String project) implements Connection {
        public Gcs {
            if (project.isBlank()) {
                throw new Invalid("project must not be empty");
            }
        }
    }
}
