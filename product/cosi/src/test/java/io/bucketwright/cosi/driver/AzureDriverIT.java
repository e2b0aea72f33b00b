package io.bucketwright.cosi.driver;

import static io.bucketwright.cosi.driver.ServedClusters.BUCKET;
import static io.bucketwright.cosi.driver.ServedClusters.assertRefused;
import static io.bucketwright.cosi.driver.ServedClusters.delete;
import static io.bucketwright.cosi.driver.ServedClusters.grant;
import static io.bucketwright.cosi.driver.ServedClusters.newBucket;
import static io.bucketwright.cosi.driver.ServedClusters.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.fixture.AzureStore;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.sdk.BlobClient;
import io.grpc.Status.Code;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The released protocol and Azurite: an application connects with nothing but the token of its Secret. */
class AzureDriverIT {

    @Test
    void theTokenIsEverythingThatAnApplicationNeeds() {
        try (LocalStore server = LocalStore.start(StoreKind.AZURE)) {
            AzureStore store = new AzureStore(server.access());
            try (ServedClusters clusters = new ServedClusters("azure", store.parameters(), store.secrets())) {
                ProvisionerBlockingStub stub = clusters.of("cluster-a");
                assertThat(stub.driverCreateBucket(newBucket(Map.of()))
                                .getBucketInfo()
                                .getAzureBlob()
                                .getStorageAccount())
                        .isEqualTo(server.access().accessKeyId());
                Map<String, String> secrets = stub.driverGrantBucketAccess(grant(Map.of()))
                        .getCredentialsOrThrow("azure")
                        .getSecretsMap();
                assertThat(secrets).as("the token has no end").containsOnlyKeys("accessToken", "bucketName");
                String[] url = secrets.getOrDefault("accessToken", "").split("\\?", 2);
                assertThat(url[0]).endsWith("/" + server.access().accessKeyId() + "/" + BUCKET);
                BlobClient application = new BlobClient(url[0], url[1]);
                assertThat(application.send("PUT", "hello", "world").statusCode())
                        .isEqualTo(201);
                assertThat(application.send("GET", "hello", "").body()).isEqualTo("world");

                assertRefused(
                        Code.FAILED_PRECONDITION,
                        "belongs to another cluster",
                        () -> clusters.of("cluster-b").driverDeleteBucket(delete(Map.of("onNotEmpty", "purge"))));
                stub.driverRevokeBucketAccess(revoke());
                assertThat(application.send("GET", "hello", "").statusCode()).isEqualTo(403);
                stub.driverDeleteBucket(delete(Map.of("onNotEmpty", "purge")));
            }
        }
    }
}
