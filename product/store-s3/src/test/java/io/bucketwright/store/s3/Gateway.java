package io.bucketwright.store.s3;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.contract.SharedServer;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.iam.IamIdentity;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.iam.IamClient;

/** A real versitygw, started once for all tests of this JVM. */
final class Gateway extends S3UnderTest implements AutoCloseable {

    private final LocalStore servers;
    private final IamClient iam = administrator().clients().iam();

    private Gateway(LocalStore servers) {
        super(administrator(servers.access()));
        this.servers = servers;
    }

    private static StoreAdministrator administrator(StoreAccess access) {
        return new StoreAdministrator(
                Map.of(
                        "endpoint",
                        access.endpoint(),
                        "iamEndpoint",
                        access.iamEndpoint(),
                        "region",
                        access.region(),
                        "unsupportedOptions",
                        "lifecycle"),
                access.accessKeyId(),
                access.secretAccessKey());
    }

    LocalStore servers() {
        return servers;
    }

    StoreAccess access() {
        return servers.access();
    }

    IamClient iam() {
        return iam;
    }

    CompleteStore storeWithSlice(Duration slice) {
        S3Parameters parameters =
                S3Parameters.of(S3Parameters.schema().parse(administrator().parameters()));
        return new S3BucketStore(
                parameters, IdentitySource.of(IamIdentity.open(administrator().clients(), parameters)), slice);
    }

    @Override
    public void close() {
        servers.close();
    }

    /** Resolves the gateway as a parameter of tests. */
    static final class Provider extends SharedServer<Gateway> {
        Provider() {
            super(Gateway.class, () -> new Gateway(LocalStore.start()));
        }
    }
}
