package io.bucketwright.devtools.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.stores.StoreAccess;
import org.junit.jupiter.api.Test;

final class StoreLineTest {

    @Test
    void aLineHasTheEndpointsOfTheParametersOfAClass() {
        assertThat(StoreLine.of(access("http://127.0.0.1:1", "http://127.0.0.1:2", "id")))
                .startsWith("http://127.0.0.1:1, IAM at http://127.0.0.1:2, keys in ");
        assertThat(StoreLine.of(access("http://127.0.0.1:1/photos", "http://127.0.0.1:1", "photos")))
                .startsWith("http://127.0.0.1:1, storage account photos, keys in ");
        assertThat(StoreLine.of(access("http://127.0.0.1:1", "http://127.0.0.1:1", "id")))
                .startsWith("http://127.0.0.1:1, keys in ");
    }

    private static StoreAccess access(String endpoint, String iamEndpoint, String keyId) {
        return new StoreAccess(endpoint, iamEndpoint, "us-east-1", keyId, "secret", "keys.env");
    }
}
