package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.s3.S3UnderTest;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpMethod;

/** Gives the conformance tests access to MinIO. */
final class MinioUnderTest extends S3UnderTest {

    MinioUnderTest(MinioServer server) {
        super(server.administrator());
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
}
