package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application of the released API gets. */
class ReleasedConnectionTest {

    @ParameterizedTest
    @ValueSource(strings = {"https://photos.blob.core.windows.net", "http://127.0.0.1:10000/devstoreaccount1"})
    void theTokenOfAzureIsTheUrlOfTheContainer(String service) {
        Map<String, String> data = Map.of(
                "AZURE_STORAGE_SERVICE_ENDPOINT", service,
                "AZURE_STORAGE_CONTAINER", "holiday",
                "AZURE_STORAGE_SAS_TOKEN", "si=bw-1&sig=x%3D");

        assertThat(ReleasedConnection.credentials("azureBlob", data))
                .containsEntry("accessToken", service + "/holiday?si=bw-1&sig=x%3D");
    }

    @Test
    void anAccessKeyHasARegionAlsoIfTheStoreHasNone() {
        Map<String, String> data = new HashMap<>();
        data.put("AWS_ACCESS_KEY_ID", "KEY");
        data.put("AWS_SECRET_ACCESS_KEY", "secret");
        data.put("BUCKET_ENDPOINT", "https://s3.example.com");
        data.put("BUCKET_REGION", "");

        assertThat(ReleasedConnection.credentials("s3", data))
                .containsEntry("endpoint", "https://s3.example.com")
                .containsEntry("region", "us-east-1");
    }
}
