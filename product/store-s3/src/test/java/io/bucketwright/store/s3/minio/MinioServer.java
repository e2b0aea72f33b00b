package io.bucketwright.store.s3.minio;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.contract.SharedServer;
import io.bucketwright.store.s3.StoreAdministrator;
import java.util.Map;

/** A real MinIO, started once for all tests of this JVM. */
record MinioServer(LocalStore servers, StoreAdministrator administrator) implements AutoCloseable {

    static MinioServer start() {
        LocalStore servers = LocalStore.start(StoreKind.MINIO);
        StoreAccess access = servers.access();
        return new MinioServer(
                servers,
                new StoreAdministrator(
                        Map.of("endpoint", access.endpoint(), "region", access.region(), "identity", "minio"),
                        access.accessKeyId(),
                        access.secretAccessKey()));
    }

    @Override
    public void close() {
        servers.close();
    }

    /** Resolves the server as a parameter of tests. */
    static final class Provider extends SharedServer<MinioServer> {
        Provider() {
            super(MinioServer.class, MinioServer::start);
        }
    }
}
