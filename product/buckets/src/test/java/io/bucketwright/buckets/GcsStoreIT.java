package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.gcs.GcsResponse;
import io.bucketwright.testing.gcs.GcsServer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Against a strict server of Google Cloud Storage, with an application that knows only its Secret and its ConfigMap. */
@OnCluster
@Order(5)
class GcsStoreIT extends BucketTestBase {

    private final GcsServer server = GcsServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anApplicationUsesTheBucketOfItsClaimBeforeAndAfterARotationAndDeletionLeavesNothing() {
        ApiUser user = start();
        String storageClass = storageClass("gcs", Map.of("onNotEmpty", "purge", "rotationOverlap", "0s"));
        bench.bind("first", storageClass);
        bindWithoutReads(user, "second", storageClass);

        Map<String, String> config = bench.config("second");
        Map<String, String> old = bench.keys("second");
        String bucket = config.getOrDefault("BUCKET_NAME", "");
        assertThat(config)
                .containsEntry("GOOGLE_CLOUD_PROJECT", GcsServer.PROJECT)
                .containsEntry("AWS_ENDPOINT_URL", server.endpoint())
                .containsEntry("AWS_REGION", "auto");
        put(config, old, bucket);
        String neighbour = bench.bucketName("first");
        assertThatThrownBy(() -> put(config, old, neighbour)).isInstanceOf(S3Exception.class);

        bench.rotate("second");
        Eventually.await("a new key").until(() -> !bench.keys("second").equals(old));
        Map<String, String> last = bench.keys("second");
        assertThat(get(config, last, bucket)).isEqualTo("world");
        Eventually.await("the end of the old key").until(() -> isRefused(config, old, bucket));

        bench.remove("first", "second");
        assertThat(isRefused(config, last, bucket)).isTrue();
        assertThat(server.accounts()).isEmpty();
    }

    @Test
    void aWrongKeyAMissingPermissionAndABusyStoreAreReportedAndTheClaimIsBoundWhenTheyAreFixed() {
        start();
        try (GcsServer other = GcsServer.start()) {
            bench.foreignSecret(
                    "wrong",
                    Map.of(
                            "GOOGLE_SERVICE_ACCOUNT_JSON",
                            other.administratorKey().replace(other.endpoint(), server.endpoint())));
        }
        bench.newBucket("photos", storageClass("wrong", Map.of("secretName", "wrong")));
        assertThat(bench.awaitReason("photos", "StoreDenied")).contains("in the administrator's Secret");
        String storageClass = storageClass("gcs", Map.of());
        bench.bind("videos", storageClass);

        server.deny(Set.of("storage.hmacKeys.create"));
        bench.newBucket("denied", storageClass);
        assertThat(bench.awaitReason("denied", "StoreDenied"))
                .contains("The administrator lacks the permission storage.hmacKeys.create.");
        server.deny(Set.of());
        bench.awaitBound("denied");

        server.setFault(request -> request.equals("POST /storage/v1/b")
                ? Optional.of(GcsResponse.of(
                        429,
                        "application/json",
                        "{\"error\":{\"code\":429,\"errors\":[{\"reason\":\"rateLimitExceeded\"}]}}",
                        Map.of()))
                : Optional.empty());
        bench.newBucket("busy", storageClass);
        assertThat(bench.awaitReason("busy", "StoreUnavailable")).contains("responded 429");
        server.setFault(_ -> Optional.empty());
        bench.awaitBound("busy");
    }

    @Test
    void aProjectWithoutRoomForServiceAccountsIsReportedAndTheClaimIsBoundWhenThereIsRoom() {
        start();
        String storageClass = storageClass("gcs", Map.of());
        bench.bind("first", storageClass);
        server.limitAccounts(1);
        bench.newBucket("second", storageClass);
        bench.newBucket("third", storageClass);
        assertThat(bench.awaitReason("second", "StoreUnavailable"))
                .contains("responded 429")
                .contains("Maximum number of service accounts");
        bench.awaitReason("third", "StoreUnavailable");
        bench.remove("first");
        Eventually.await("one of two claims to get the account that was deleted")
                .until(() -> Stream.of("second", "third")
                                .filter(name -> bench.reason(name).equals("Bound"))
                                .count()
                        == 1);
        assertThat(server.accounts()).hasSize(1);
        server.limitAccounts(2);
        bench.awaitBound("second");
        bench.awaitBound("third");
        bench.remove("second", "third");
    }

    private ApiUser start() {
        return bench.startInstalledStores("gcs", Map.of("GOOGLE_SERVICE_ACCOUNT_JSON", server.administratorKey()));
    }

    private String storageClass(String name, Map<String, String> more) {
        Map<String, String> parameters = bench.administered(server.parameters());
        parameters.putAll(more);
        return bench.storageClass(name, parameters);
    }

    private static boolean isRefused(Map<String, String> config, Map<String, String> keys, String bucket) {
        try (S3Client application = S3Clients.withoutChecksums(config, keys)) {
            return S3Clients.status(application, bucket) == 403;
        }
    }

    private static void put(Map<String, String> config, Map<String, String> keys, String bucket) {
        try (S3Client application = S3Clients.withoutChecksums(config, keys)) {
            S3Clients.put(application, bucket, "world");
        }
    }

    private static String get(Map<String, String> config, Map<String, String> keys, String bucket) {
        try (S3Client application = S3Clients.withoutChecksums(config, keys)) {
            return S3Clients.read(application, bucket);
        }
    }
}
