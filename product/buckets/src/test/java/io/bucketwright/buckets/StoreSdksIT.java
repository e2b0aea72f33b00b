package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.gcs.GcsServer;
import io.bucketwright.testing.sdk.StoreSdk;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A claim is used by a program with the SDK of its store, as in a pod with all keys of Secret and ConfigMap. */
@OnCluster
class StoreSdksIT extends BucketTestBase {

    @Test
    void theSdkOfMinioUsesTheBucketOfAClaim() {
        try (LocalStore server = LocalStore.start(StoreKind.MINIO)) {
            StoreAccess access = server.access();
            useBeforeAndAfterARotation(
                    "s3",
                    StoreSdk.MINIO,
                    Map.of("endpoint", access.endpoint(), "identity", "minio"),
                    S3Clients.keys(access));
        }
    }

    @Test
    void theSdkOfAzureUsesTheContainerOfAClaim() {
        try (LocalStore server = LocalStore.start(StoreKind.AZURE)) {
            StoreAccess access = server.access();
            useBeforeAndAfterARotation(
                    "azure",
                    StoreSdk.AZURE,
                    Map.of("storageAccount", access.accessKeyId(), "endpoint", access.iamEndpoint()),
                    Map.of("AZURE_STORAGE_KEY", access.secretAccessKey()));
        }
    }

    @Test
    void theSdkOfGoogleCloudUsesTheBucketOfAClaim() {
        try (GcsServer server = GcsServer.start()) {
            Map<String, String> parameters = new HashMap<>(server.parameters());
            parameters.put("principalKeys", "serviceAccount");
            useBeforeAndAfterARotation(
                    "gcs", StoreSdk.GCS, parameters, Map.of("GOOGLE_SERVICE_ACCOUNT_JSON", server.administratorKey()));
        }
    }

    private void useBeforeAndAfterARotation(
            String kind, StoreSdk sdk, Map<String, String> parameters, Map<String, String> administrator) {
        bench.startInstalledStores(kind, administrator);
        Map<String, String> complete = bench.administered(parameters);
        complete.put("rotationOverlap", "0s");
        String storageClass = bench.storageClass(kind, complete);
        bench.bind("mine", storageClass);
        bench.bind("other", storageClass);
        String bucket = bench.bucketName("mine");
        String neighbour = bench.bucketName("other");

        Map<String, String> former = variables("mine");
        assertThat(sdk.use(former, bucket)).isEqualTo(StoreSdk.ALLOWED);
        assertThat(sdk.use(former, neighbour)).isEqualTo(List.of("refused 403"));

        bench.rotate("mine");
        Map<String, String> current = variables("mine");
        assertThat(sdk.use(current, bucket)).isEqualTo(StoreSdk.ALLOWED);
        Eventually.await("the end of the former credentials").until(() -> isRefused(sdk.use(former, bucket)));

        bench.remove("mine", "other");
        assertThat(sdk.use(current, bucket)).singleElement().asString().startsWith("refused 40");
    }

    private static boolean isRefused(List<String> lines) {
        return lines.getFirst().startsWith("refused");
    }

    /** As {@code envFrom} gives them to a container. */
    private Map<String, String> variables(String claim) {
        Map<String, String> variables = new HashMap<>(bench.config(claim));
        variables.putAll(bench.keys(claim));
        return variables;
    }
}
