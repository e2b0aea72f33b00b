package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.fixture.AzureStore;
import io.bucketwright.cosi.fixture.CosiFixture;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.SidecarFixture;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.testing.sdk.StoreSdk;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The two requests of a user with protocol azureBlob, through controller, sidecar and driver to Azurite, and back. */
@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
class AzureFlowIT {

    @TempDir
    private Path folder;

    @Test
    void aRequestForAzureBlobIsBoundUsedRotatedAndReleased(TestCluster cluster) {
        try (LocalStore server = LocalStore.start(StoreKind.AZURE);
                StoreFlow flow = new StoreFlow(
                        cluster,
                        folder,
                        "azure",
                        DataProtocol.AZURE_BLOB,
                        new AzureStore(server.access()).parameters(),
                        Map.of("AZURE_STORAGE_KEY", server.access().secretAccessKey()))) {
            flow.controller(cluster.user("azure-cosi"));
            flow.sidecar(SidecarFixture.deployed(cluster, "azure-sidecar"));
            flow.bind("photos", "photos", flow.bucketClass(), flow.accessClass());

            Bucket bucket = flow.bucketOf("photos");
            Map<String, String> first = flow.credentials("photos");
            String container = first.getOrDefault("BUCKET_NAME", "");
            assertThat(bucket.getSpec().protocol().protocolSignature()).isEqualTo("azureBlob");
            assertThat(CosiFixture.existing(bucket.getSpec().protocol().azureBlob())
                            .containerName())
                    .isEqualTo(container);
            assertThat(CosiFixture.existing(bucket.getSpec().protocol().azureBlob())
                            .storageAccount())
                    .isEqualTo(server.access().accessKeyId());
            assertThat(first)
                    .containsEntry("AZURE_STORAGE_ACCOUNT", server.access().accessKeyId())
                    .containsEntry("AZURE_STORAGE_CONTAINER", container)
                    .doesNotContainValue(server.access().secretAccessKey());
            assertThat(StoreSdk.AZURE.use(first, container)).isEqualTo(StoreSdk.ALLOWED);
            assertThat(send(first, "PUT", container + "/hello", "world").statusCode())
                    .isEqualTo(201);

            Map<String, String> second = flow.rotate("photos", first, "AZURE_STORAGE_SAS_TOKEN");
            assertThat(send(second, "GET", container + "/hello", "").body()).isEqualTo("world");
            assertThat(send(first, "GET", container + "/hello", "").body())
                    .as("the former token is valid during the overlap")
                    .isEqualTo("world");

            flow.release("photos");
            for (Map<String, String> former : List.of(first, second)) {
                assertThat(send(former, "GET", container + "/hello", "").statusCode())
                        .isIn(403, 404);
            }
        }
    }

    private static HttpResponse<String> send(Map<String, String> data, String method, String path, String body) {
        return AzureStore.send(data, method, path, body);
    }
}
