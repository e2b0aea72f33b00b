package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.OnCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Classes and claims written for Rook, on a Ceph object gateway. */
@OnCluster
class RookIT extends BucketTestBase {

    private static final String STORE = "my-store";

    private static LocalStore ceph;

    @BeforeAll
    static void startGateway() {
        ceph = LocalStore.start(StoreKind.CEPH);
    }

    @AfterAll
    static void stopGateway() {
        ceph.close();
    }

    @Test
    void aClaimAndAClassWrittenForRookBindUnchanged() {
        secretOfRook();
        bench.startInstalledStores(
                cluster.user("rook"),
                builder -> builder.classDefaults(Map.of("allowedOptions", "policy,lifecycle", "onNotEmpty", "purge")));
        String storageClass = bench.storageClass("rook-ceph-bucket", parametersOfRook());
        bench.claim(
                "ceph-bucket",
                BucketFixture.spec(storageClass)
                        .generateBucketName("ceph-bkt")
                        .additionalConfig(Map.of(
                                "maxObjects",
                                "1000",
                                "maxSize",
                                "2G",
                                "bucketMaxObjects",
                                "2",
                                "bucketMaxSize",
                                "1G",
                                "bucketPolicy",
                                "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\","
                                        + "\"Action\":[\"s3:GetObject\"],\"Resource\":[\"arn:aws:s3:::*/public/*\"]}]}",
                                "bucketLifecycle",
                                "{\"Rules\":[{\"ID\":\"Expire\",\"Status\":\"Enabled\",\"Prefix\":\"\","
                                        + "\"Expiration\":{\"Days\":30}}]}")));
        String bucket = bench.awaitBound("ceph-bucket");

        assertThat(bench.keys("ceph-bucket")).containsKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
        assertThat(bench.config("ceph-bucket"))
                .containsEntry("BUCKET_NAME", bucket)
                .containsEntry("BUCKET_HOST", "127.0.0.1")
                .containsKeys("BUCKET_PORT", "BUCKET_REGION", "BUCKET_SUBREGION");
        try (S3Client s3 = application("ceph-bucket")) {
            put(s3, bucket, "one");
            put(s3, bucket, "two");
            assertThatThrownBy(() -> put(s3, bucket, "three"))
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("QuotaExceeded"));
        }
        bench.remove("ceph-bucket");
        assertThat(buckets()).doesNotContain(bucket);
    }

    @Test
    void aBucketThatRookBoundIsTakenOverAndItsFormerKeyGoesOnReading() {
        secretOfRook();
        String bucket = "rook-" + cluster.namespace();
        try (S3Client former = userOfRook()) {
            former.createBucket(request -> request.bucket(bucket));
            put(former, bucket, "before");
            bench.startInstalledStores(cluster.user("rook"));
            Map<String, String> adopting = new HashMap<>(parametersOfRook());
            adopting.put("adopt", "rook-${namespace}");
            adopting.put("adoptUntagged", "true");
            String storageClass = bench.storageClass("taking-over", adopting);
            bench.claim("photos", BucketFixture.spec(storageClass).bucketName(bucket));
            assertThat(bench.awaitBound("photos")).isEqualTo(bucket);
            assertThat(bench.config("photos")).containsEntry("BUCKET_NAME", bucket);

            try (S3Client s3 = application("photos")) {
                assertThat(read(s3, bucket, "before")).isEqualTo("text");
                put(s3, bucket, "after");
                assertThat(read(former, bucket, "before")).isEqualTo("text");
                assertThat(read(former, bucket, "after")).isEqualTo("text");
                bench.remove("photos");
                assertThatThrownBy(() -> read(s3, bucket, "before"))
                        .isInstanceOfSatisfying(
                                S3Exception.class,
                                e -> assertThat(e.statusCode()).isEqualTo(403));
            }
            assertThat(read(former, bucket, "before")).isEqualTo("text");
        }
    }

    @Test
    void aClaimNamesTheOwnerOfItsBucketAsFarAsTheClassAllows() {
        secretOfRook();
        bench.startInstalledStores(
                cluster.user("rook"),
                builder -> builder.classDefaults(Map.of("allowedBucketOwners", "obc-${namespace}-photos")));
        String storageClass = bench.storageClass("owned", parametersOfRook());
        try (S3Client user = userOfRook()) {
            String uid = "obc-" + cluster.namespace() + "-photos";
            bench.claim("denied", ownedBy(storageClass, "administrator"));
            bench.claim("photos", ownedBy(storageClass, uid));
            String bucket = bench.awaitBound("photos");
            assertThat(bench.awaitReason("denied", "Invalid")).contains("allowedBucketOwners");

            assertThat(get("/admin/bucket", Map.of("bucket", bucket)).field("owner"))
                    .hasValueSatisfying(owner -> assertThat(owner.asString()).isEqualTo(uid));
            try (S3Client s3 = application("photos")) {
                put(s3, bucket, "one");
            }
            assertThat(read(user, bucket, "one")).isEqualTo("text");
            user.deleteObject(request -> request.bucket(bucket).key("one"));
            bench.remove("photos");
            assertThat(buckets()).doesNotContain(bucket);
            assertThat(get("/admin/user", Map.of("uid", uid)).field("keys")).isPresent();
        }
    }

    private static ObjectBucketClaimSpec.Builder ownedBy(String storageClass, String uid) {
        return BucketFixture.spec(storageClass)
                .generateBucketName("owned")
                .additionalConfig(Map.of("bucketOwner", uid));
    }

    private Map<String, String> parametersOfRook() {
        return Map.of("objectStoreName", STORE, "objectStoreNamespace", cluster.namespace());
    }

    /** What Rook creates for a CephObjectStoreUser named bucketwright. */
    private void secretOfRook() {
        StoreAccess access = ceph.access();
        bench.foreignSecret(
                "rook-ceph-object-user-" + STORE + "-bucketwright",
                Map.of(
                        "AccessKey", access.accessKeyId(),
                        "SecretKey", access.secretAccessKey(),
                        "Endpoint", access.endpoint()));
    }

    /** The user that Rook's provisioner creates for a claim. */
    private S3Client userOfRook() {
        String uid = "obc-" + cluster.namespace() + "-photos";
        return client(StoreContents.cephKeys(StoreContents.send(
                ceph.access(), SdkHttpMethod.PUT, "/admin/user", Map.of("uid", uid, "display-name", uid))));
    }

    private static Stream<String> buckets() {
        return get("/admin/bucket", Map.of()).asArray().stream().map(JsonNode::asString);
    }

    private static JsonNode get(String path, Map<String, String> query) {
        return StoreContents.send(ceph.access(), SdkHttpMethod.GET, path, query);
    }

    private S3Client application(String claim) {
        return client(bench.keys(claim));
    }

    private static S3Client client(Map<String, String> keys) {
        return S3Clients.withoutChecksums(ceph.access().endpoint(), Region.US_EAST_1.id(), keys);
    }

    private static void put(S3Client s3, String bucket, String key) {
        s3.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString("text"));
    }

    private static String read(S3Client s3, String bucket, String key) {
        return s3.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asUtf8String();
    }
}
