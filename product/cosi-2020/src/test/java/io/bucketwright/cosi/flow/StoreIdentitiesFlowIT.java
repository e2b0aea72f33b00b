package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.SidecarFixture;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.testing.sdk.StoreSdk;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The two requests of a user through controller, sidecar and driver to MinIO and to the Ceph object gateway. */
@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
class StoreIdentitiesFlowIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = StoreKind.class,
            names = {"MINIO", "CEPH"})
    void aRequestIsBoundUsedAndReleased(StoreKind kind, TestCluster cluster) {
        try (LocalStore server = LocalStore.start(kind);
                StoreFlow flow = new StoreFlow(
                        cluster,
                        folder,
                        "s3",
                        DataProtocol.S3,
                        Map.of("endpoint", server.access().endpoint(), "identity", kind.text()),
                        Map.of(
                                "AWS_ACCESS_KEY_ID", server.access().accessKeyId(),
                                "AWS_SECRET_ACCESS_KEY", server.access().secretAccessKey()))) {
            flow.controller(cluster.user(kind.text() + "-cosi"));
            flow.sidecar(SidecarFixture.deployed(cluster, kind.text() + "-sidecar"));
            flow.bind("photos", "photos", flow.bucketClass(), flow.accessClass());

            Map<String, String> data = flow.credentials("photos");
            String bucket = data.getOrDefault("BUCKET_NAME", "");
            assertThat(flow.bucketOf("photos").getSpec().protocol().protocolSignature())
                    .isEqualTo("s3");
            assertThat(data).doesNotContainValue(server.access().secretAccessKey());
            if (kind == StoreKind.MINIO) {
                assertThat(StoreSdk.MINIO.use(data, bucket)).isEqualTo(StoreSdk.ALLOWED);
            }
            try (S3Client application = S3Store.application(data)) {
                application.putObject(request -> request.bucket(bucket).key("hello"), RequestBody.fromString("world"));
                assertThat(read(application, bucket)).isEqualTo("world");

                flow.release("photos");
                assertThatThrownBy(() -> read(application, bucket))
                        .isInstanceOfSatisfying(
                                S3Exception.class,
                                refused -> assertThat(refused.statusCode()).isIn(403, 404));
            }
        }
    }

    private static String read(S3Client application, String bucket) {
        return application
                .getObjectAsBytes(request -> request.bucket(bucket).key("hello"))
                .asUtf8String();
    }
}
