package io.bucketwright.buckets;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.sdk.BlobClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against Azurite, with the requests of an application that knows only its Secret and its ConfigMap. */
@OnCluster
class AzureStoreIT extends BucketTestBase {

    private static final int CLAIMS = Integer.getInteger("bucketwright.change.claims", 3);

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
        bench.newBucket("photos", storageClass);
        assertThat(bench.awaitReason("photos", "StoreDenied")).contains("account key in the administrator's Secret");
        bench.bind("videos", storageClass("azure", Map.of()));

        server.stop(Component.AZURITE);
        bench.newBucket("down", storageClass("down", Map.of()));
        assertThat(bench.awaitReason("down", "StoreUnavailable")).contains("does not respond");
        server.start(Component.AZURITE);
        bench.awaitBound("down");
    }

    @Test
    void theTokensOfAllClaimsWorkAllTheTimeWhileTheAccountKeyIsReplacedAsDocumented()
            throws IOException, InterruptedException {
        String second = Base64.getEncoder()
                .encodeToString("another-key-of-the-account".repeat(3).getBytes(US_ASCII));
        accountKeys(access.secretAccessKey() + ":" + second);
        start();
        String storageClass = storageClass("azure", Map.of("onNotEmpty", "purge", "rotationOverlap", "1h"));
        List<String> claims = names("claim-", CLAIMS);
        claims.forEach(claim -> bench.bind(claim, storageClass));
        Map<String, Map<String, String>> old = new HashMap<>();
        claims.forEach(claim -> old.put(claim, bench.keys(claim)));

        Applications withFormerTokens = applications(claims, claim -> old.getOrDefault(claim, Map.of()));
        Applications withTheirSecrets = applications(claims, bench::keys);
        bench.replaceSecret("administrator", Map.of("AZURE_STORAGE_KEY", second));
        for (String claim : claims) {
            Eventually.await("a new token of " + claim)
                    .until(() -> !bench.keys(claim).equals(old.get(claim)));
            bench.awaitBound(claim);
        }
        withTheirSecrets.stopWithoutFailure();
        // During the overlap, while the account has both keys.
        withFormerTokens.stopWithoutFailure();
        accountKeys(second);
        for (String claim : claims) {
            Map<String, String> config = bench.config(claim);
            String blob = config.getOrDefault("AZURE_STORAGE_CONTAINER", "") + "/hello";
            assertThat(send(config, bench.keys(claim), "PUT", blob, "world").statusCode())
                    .as("the token that was signed with the key in the Secret")
                    .isEqualTo(201);
            assertThat(send(config, old.getOrDefault(claim, Map.of()), "GET", blob, "")
                            .statusCode())
                    .isEqualTo(403);
        }
        bench.remove(claims.toArray(String[]::new));
    }

    private Applications applications(List<String> claims, Function<String, Map<String, String>> keys) {
        return new Applications(claims, claim -> {
            Map<String, String> config = bench.config(claim);
            String blob = config.getOrDefault("AZURE_STORAGE_CONTAINER", "") + "/" + System.nanoTime();
            return () -> assertThat(send(config, keys.apply(claim), "PUT", blob, "world")
                            .statusCode())
                    .isEqualTo(201);
        });
    }

    /** Restarts the store with these keys of its account. */
    private void accountKeys(String keys) throws IOException {
        server.stop(Component.AZURITE);
        Files.writeString(
                Path.of(access.credentialsFile()),
                "AZURE_STORAGE_ACCOUNT=" + access.accessKeyId() + "\nAZURE_STORAGE_KEY=" + keys + "\n");
        server.start(Component.AZURITE);
    }

    private ApiUser start() {
        return bench.startInstalledStores("azure", Map.of("AZURE_STORAGE_KEY", access.secretAccessKey()));
    }

    private String storageClass(String name, Map<String, String> more) {
        // The endpoint without the account.
        Map<String, String> parameters =
                bench.administered(Map.of("storageAccount", access.accessKeyId(), "endpoint", access.iamEndpoint()));
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
