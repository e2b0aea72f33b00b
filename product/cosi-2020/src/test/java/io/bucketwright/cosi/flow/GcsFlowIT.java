package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.fixture.CosiFixture;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.SidecarFixture;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.testing.gcs.GcsServer;
import io.bucketwright.testing.sdk.StoreSdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The two requests of a user with protocol gcs, through controller, sidecar and driver to a strict server, and back. */
@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
class GcsFlowIT {

    @TempDir
    private Path folder;

    @Test
    void aRequestForGoogleCloudStorageIsBoundUsedRotatedAndReleased(TestCluster cluster) {
        try (GcsServer server = GcsServer.start();
                StoreFlow flow = start(cluster, server)) {
            flow.bind("photos", "photos", flow.bucketClass(), flow.accessClass());

            Bucket bucket = flow.bucketOf("photos");
            Map<String, String> first = flow.credentials("photos");
            String name = first.getOrDefault("BUCKET_NAME", "");
            assertThat(bucket.getSpec().protocol().protocolSignature()).isEqualTo("gcs");
            assertThat(CosiFixture.existing(bucket.getSpec().protocol().gcs()).bucketName())
                    .isEqualTo(name);
            assertThat(CosiFixture.existing(bucket.getSpec().protocol().gcs()).projectId())
                    .isEqualTo(GcsServer.PROJECT);
            assertThat(first)
                    .containsEntry("GOOGLE_CLOUD_PROJECT", GcsServer.PROJECT)
                    .containsKey("GOOGLE_SERVICE_ACCOUNT_JSON")
                    .doesNotContainKeys("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID")
                    .doesNotContainValue(server.administratorKey());

            Map<String, String> second = flow.rotate("photos", first, "GOOGLE_SERVICE_ACCOUNT_JSON");
            // The former key is valid during the overlap.
            for (Map<String, String> valid : List.of(first, second)) {
                assertThat(StoreSdk.GCS.use(valid, name)).isEqualTo(StoreSdk.ALLOWED);
            }

            flow.release("photos");
            for (Map<String, String> former : List.of(first, second)) {
                assertThat(StoreSdk.GCS.use(former, name))
                        .singleElement()
                        .asString()
                        .startsWith("refused 40");
            }
            assertThat(server.accounts()).isEmpty();
        }
    }

    @Test
    void anApplicationCannotUseTheBucketOfItsNeighbour(TestCluster cluster) {
        try (GcsServer server = GcsServer.start();
                StoreFlow flow = start(cluster, server)) {
            String bucketClass = flow.bucketClass();
            String accessClass = flow.accessClass();
            flow.bind("photos", "photos", bucketClass, accessClass);
            flow.bind("videos", "videos", bucketClass, accessClass);
            Map<String, String> data = flow.credentials("photos");
            String bucket = data.getOrDefault("BUCKET_NAME", "");
            String neighbour = flow.credentials("videos").getOrDefault("BUCKET_NAME", "");
            assertThat(StoreSdk.GCS.use(data, bucket)).isEqualTo(StoreSdk.ALLOWED);
            assertThat(StoreSdk.GCS.use(data, neighbour)).containsExactly("refused 403");

            flow.deleteBoth("photos", "photos");
            Eventually.await("the end of the access")
                    .until(() -> flow.credentials("photos").isEmpty()
                            && server.accounts().size() == 1);
            assertThat(StoreSdk.GCS.use(data, bucket))
                    .singleElement()
                    .asString()
                    .startsWith("refused 40");
            flow.deleteBoth("videos", "videos");
            Eventually.await("the deletion of everything")
                    .until(() -> flow.buckets().isEmpty() && flow.accesses().isEmpty());
            assertThat(server.accounts()).isEmpty();
        }
    }

    private StoreFlow start(TestCluster cluster, GcsServer server) {
        StoreFlow flow = new StoreFlow(
                cluster,
                folder,
                "gcs",
                DataProtocol.GCS,
                server.parameters(),
                Map.of("GOOGLE_SERVICE_ACCOUNT_JSON", server.administratorKey()));
        flow.controller(cluster.user("gcs-cosi"));
        flow.sidecar(SidecarFixture.deployed(cluster, "gcs-sidecar"));
        return flow;
    }
}
