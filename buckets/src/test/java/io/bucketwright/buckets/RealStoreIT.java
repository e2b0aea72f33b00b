package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** Against versitygw, with principals of its IAM API. */
@OnCluster(with = AddOn.S3)
class RealStoreIT extends BenchFixture {

    @Test
    void anApplicationUsesTheBucketOfItsClaimAndDeletionLeavesNothing() {
        StoreAccess access = cluster.local().s3().orElseThrow();
        bench.foreignSecret(
                "administrator",
                Map.of(
                        "AWS_ACCESS_KEY_ID", access.accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", access.secretAccessKey()));
        ApiUser user = cluster.user("buckets");
        bench.startInstalledStores(user);
        String storageClass = bench.storageClass(
                "s3",
                Map.of(
                        "endpoint", access.endpoint(),
                        "iamEndpoint", access.iamEndpoint(),
                        "region", access.region(),
                        "secretName", "administrator",
                        "secretNamespace", cluster.namespace(),
                        "onNotEmpty", "purge"));
        bench.bind("first", storageClass);
        assertThat(cluster.requests(user).reads())
                .as("the administrator's Secret, once")
                .isEqualTo(1);
        RequestCounts before = cluster.requests(user);
        bench.bind("second", storageClass);
        RequestCounts binding = cluster.requests(user).since(before);
        assertThat(binding.writes()).as("%s", binding).isEqualTo(7);
        assertThat(binding.reads()).as("%s", binding).isZero();

        Map<String, String> keys = bench.keys("second");
        Map<String, String> config = bench.config("second");
        String bucket = config.getOrDefault("BUCKET_NAME", "");
        try (S3Client s3 = client(
                config.getOrDefault("BUCKET_ENDPOINT", ""),
                keys.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""))) {
            s3.putObject(it -> it.bucket(bucket).key("hello"), RequestBody.fromString("world"));
            assertThat(s3.getObjectAsBytes(it -> it.bucket(bucket).key("hello")).asUtf8String())
                    .isEqualTo("world");
        }
        bench.remove("first", "second");
        try (S3Client root = client(access.endpoint(), access.accessKeyId(), access.secretAccessKey())) {
            assertThat(root.listBuckets().buckets().stream().map(Bucket::name)).doesNotContain(bucket);
        }
    }

    private static S3Client client(String endpoint, String id, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret)))
                .build();
    }
}
