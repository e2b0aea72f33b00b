package io.bucketwright.store.s3.minio;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.s3.StoreAdministrator;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

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
    static final class Provider implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == MinioServer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(MinioServer.class))
                    .computeIfAbsent(MinioServer.class, key -> MinioServer.start(), MinioServer.class);
        }
    }
}
