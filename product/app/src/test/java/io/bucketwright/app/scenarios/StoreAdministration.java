package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import java.util.Set;
import software.amazon.awssdk.services.s3.S3Client;

/** The buckets, users and keys of a store as its administrator lists them, by the API that the store has for users. */
interface StoreAdministration extends AutoCloseable {

    Set<String> buckets();

    /** The users that are there for applications. */
    Set<String> users();

    int keysOf(String user);

    /** A client that may use the bucket and its objects; it is closed with this object. */
    S3Client clientOf(String bucket);

    @Override
    void close();

    /**
     * The administration of a store.
     *
     * @param administrator is closed with the result
     */
    static StoreAdministration of(StoreKind kind, StoreAccess access, S3Client administrator) {
        return switch (kind) {
            case S3 -> new IamAdministration(access, administrator);
            case MINIO -> new MinioAdministration(access, administrator);
            case CEPH -> new CephAdministration(access, administrator);
            case AZURE, GCS, MOTO -> throw new IllegalArgumentException(kind + " is not supported here");
        };
    }
}
