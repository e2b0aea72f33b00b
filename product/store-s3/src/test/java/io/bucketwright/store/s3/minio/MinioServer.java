package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.contract.SharedServer;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.s3.S3UnderTest;
import io.bucketwright.store.s3.StoreAdministrator;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpMethod;

/** A real MinIO, started once for all tests of this JVM. */
final class MinioServer extends S3UnderTest implements AutoCloseable {

    private final LocalStore servers;

    private MinioServer(LocalStore servers) {
        super(administrator(servers.access()));
        this.servers = servers;
    }

    static MinioServer start() {
        return new MinioServer(LocalStore.start(StoreKind.MINIO));
    }

    private static StoreAdministrator administrator(StoreAccess access) {
        return new StoreAdministrator(
                Map.of("endpoint", access.endpoint(), "region", access.region(), "identity", "minio"),
                access.accessKeyId(),
                access.secretAccessKey());
    }

    LocalStore servers() {
        return servers;
    }

    /** MinIO ignores tags in the request that creates a bucket. */
    @Override
    public boolean createsBucketsWithOwner() {
        return false;
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        return option instanceof Quota quota
                ? Optional.of(quota(bucket).contains("\"size\":" + quota.maxBytes() + ","))
                : super.isSet(bucket, option);
    }

    /** The quota of a bucket as MinIO reports it. */
    String quota(BucketName bucket) {
        try (AdminClient admin = administrator().clients().admin()) {
            return new String(
                    admin.send(
                            call(),
                            "read the quota",
                            AdminRequest.of(SdkHttpMethod.GET, "/minio/admin/v3/get-bucket-quota")
                                    .with("bucket", bucket.text())),
                    StandardCharsets.UTF_8);
        }
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
