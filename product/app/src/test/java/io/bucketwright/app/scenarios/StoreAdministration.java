package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** The buckets, users and keys of a store as its administrator lists them, by the API that the store has for users. */
abstract class StoreAdministration implements AutoCloseable {

    private final S3Client s3;

    /** @param administrator is closed with this object */
    StoreAdministration(S3Client administrator) {
        s3 = administrator;
    }

    /** The administration of a store. */
    static StoreAdministration of(StoreKind kind, StoreAccess access, S3Client administrator) {
        return switch (kind) {
            case S3 -> new IamAdministration(access, administrator);
            case MINIO -> new MinioAdministration(access, administrator);
            case CEPH -> new CephAdministration(access, administrator);
            case AZURE, GCS, MOTO -> throw new IllegalArgumentException(kind + " is not supported here");
        };
    }

    Set<String> buckets() {
        return s3.listBuckets().buckets().stream().map(Bucket::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The users that are there for applications. */
    abstract Set<String> users();

    abstract int keysOf(String user);

    /** A client that may use the bucket and its objects; it is closed with this object. */
    S3Client clientOf(String bucket) {
        return s3;
    }

    @Override
    public void close() {
        s3.close();
    }
}
