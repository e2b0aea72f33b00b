package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.sdk.BlobClient;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against Azurite, with the requests of an application that knows only its Secret and its ConfigMap. */
@OnCluster
class AzureStoreIT extends BenchFixture {

    private final LocalStore server = LocalStore.start(StoreKind.AZURE);
    private final StoreAccess access = server.access();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anApplicationUsesTheContainerOfItsClaimBeforeAndAfterARotationAndDeletionLeavesNothing() {
        ApiUser user = start();
        String storageClass = storageClass("azure", Map.of("onNotEmpty", "purge", "rotationOverlap", "0s"));
        bench.bind("first", storageClass);
        bindWithoutReads(user, "second", storageClass);

        Map<String, String> config = bench.config("second");
        Map<String, String> old = bench.keys("second");
        String container = config.getOrDefault("AZURE_STORAGE_CONTAINER", "");
        assertThat(config)
                .containsEntry("BUCKET_NAME", container)
                .containsEntry("AZURE_STORAGE_ACCOUNT", access.accessKeyId())
                .containsEntry("AZURE_STORAGE_SERVICE_ENDPOINT", access.endpoint());
        assertThat(old).containsOnlyKeys("AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING");
        assertThat(send(config, old, "PUT", container + "/hello", "world").statusCode())
                .isEqualTo(201);
        String neighbour = bench.config("first").getOrDefault("AZURE_STORAGE_CONTAINER", "");
        assertThat(send(config, old, "PUT", neighbour + "/hello", "world").statusCode())
                .isEqualTo(403);

        bench.rotate("second");
        Eventually.await("a new token").until(() -> !bench.keys("second").equals(old));
        assertThat(send(config, bench.keys("second"), "GET", container + "/hello", "")
                        .body())
                .isEqualTo("world");
        Eventually.await("the end of the old token")
                .until(() -> send(config, old, "GET", container + "/hello", "").statusCode() == 403);

        Map<String, String> last = bench.keys("second");
        bench.remove("first", "second");
        assertThat(send(config, last, "GET", container + "/hello", "").statusCode())
                .isIn(403, 404);
    }

    @Test
    void aWrongKeyAndAStoreThatIsDownAreReportedAndTheClaimIsBoundWhenTheyAreFixed() {
        start();
        String wrong = Base64.getEncoder().encodeToString(new byte[64]);
        bench.foreignSecret("wrong", Map.of("AZURE_STORAGE_KEY", wrong));
        String storageClass = storageClass("wrong", Map.of("secretName", "wrong"));
        bench.claim("photos", Bench.spec(storageClass).generateBucketName("photos"));
        assertThat(bench.awaitReason("photos", "StoreDenied")).contains("account key in the administrator's Secret");
        bench.claim("videos", Bench.spec(storageClass("azure", Map.of())).generateBucketName("videos"));
        bench.awaitBound("videos");

        server.stop(Component.AZURITE);
        bench.claim("down", Bench.spec(storageClass("down", Map.of())).generateBucketName("down"));
        assertThat(bench.awaitReason("down", "StoreUnavailable")).contains("does not respond");
        server.start(Component.AZURITE);
        bench.awaitBound("down");
    }

    private ApiUser start() {
        bench.foreignSecret("administrator", Map.of("AZURE_STORAGE_KEY", access.secretAccessKey()));
        ApiUser user = cluster.user("azure");
        bench.startInstalledStores(user, "azure");
        return user;
    }

    private String storageClass(String name, Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(Map.of(
                "storageAccount", access.accessKeyId(),
                // The endpoint without the account.
                "endpoint", access.iamEndpoint(),
                "secretName", "administrator",
                "secretNamespace", cluster.namespace()));
        parameters.putAll(more);
        return bench.storageClass(name, parameters);
    }

    private static HttpResponse<String> send(
            Map<String, String> config, Map<String, String> keys, String method, String path, String body) {
        return new BlobClient(
                        config.getOrDefault("AZURE_STORAGE_SERVICE_ENDPOINT", ""),
                        keys.getOrDefault("AZURE_STORAGE_SAS_TOKEN", ""))
                .send(method, path, body);
    }
}
