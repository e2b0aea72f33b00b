package io.bucketwright.store.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameters;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AzureStoreFactoryTest {

    private final AzureStoreFactory factory = new AzureStoreFactory();

    @Test
    void theFactoryIsInstalled() {
        try (Stores stores = Stores.installed()) {
            assertThat(stores.names()).contains("azure", "none");
        }
    }

    @Test
    void onlyTheAccountAndItsKeyAreRequired() {
        assertThatThrownBy(() -> factory.parameters().parse(Map.of()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("storageAccount");
        Parameters parameters = factory.parameters().parse(Map.of("storageAccount", "photos"));
        assertThat(AzureParameters.of(parameters).serviceUrl()).isEqualTo("https://photos.blob.core.windows.net");
        assertThatThrownBy(() -> factory.open(parameters, AdministratorSecret.none()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("AZURE_STORAGE_KEY");
        assertThatThrownBy(() -> factory.open(
                        parameters, new AdministratorSecret(Map.of("accountKey", SecretValue.of("no base64!")))))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("account key")
                .hasMessageNotContaining("no base64");
    }

    @Test
    void theAccountIsInThePathUnlessTheHostIsNamedAfterIt() {
        assertThat(url(Map.of("endpoint", "http://127.0.0.1:10000"))).isEqualTo("http://127.0.0.1:10000/photos");
        assertThat(url(Map.of("endpoint", "https://photos.blob.core.chinacloudapi.cn")))
                .isEqualTo("https://photos.blob.core.chinacloudapi.cn");
        assertThat(url(Map.of("endpoint", "https://blobs.example.com", "pathStyle", "false")))
                .isEqualTo("https://blobs.example.com");
    }

    @Test
    void applicationsGetTheKeysOfAzuresSdks() {
        AzureParameters emulator = AzureParameters.of(AzureParameters.schema()
                .parse(Map.of("storageAccount", "photos", "endpoint", "http://127.0.0.1:10000")));
        ConnectionData data = ConnectionData.of(
                new ProvisionedBucket(
                        emulator.connection(new BucketName("pictures")),
                        emulator.credentials("policy", SecretValue.of("sv=1&sig=x"))),
                KeyRenames.none());
        assertThat(data.config())
                .containsEntry("AZURE_STORAGE_ACCOUNT", "photos")
                .containsEntry("AZURE_STORAGE_CONTAINER", "pictures")
                .containsEntry("AZURE_STORAGE_SERVICE_ENDPOINT", "http://127.0.0.1:10000/photos");
        assertThat(data.secret())
                .containsOnly(
                        entry("AZURE_STORAGE_SAS_TOKEN", SecretValue.of("sv=1&sig=x")),
                        entry(
                                "AZURE_STORAGE_CONNECTION_STRING",
                                SecretValue.of("BlobEndpoint=http://127.0.0.1:10000/photos;"
                                        + "SharedAccessSignature=sv=1&sig=x")));
        AzureParameters cloud = AzureParameters.of(AzureParameters.schema().parse(Map.of("storageAccount", "photos")));
        assertThat(cloud.connection(new BucketName("pictures")).values())
                .containsEntry("AZURE_STORAGE_SERVICE_ENDPOINT", "https://photos.blob.core.windows.net");
    }

    @Test
    void classesOfOneAccountHaveTheSameLocation() {
        Object location = location(Map.of("storageAccount", "photos"));
        assertThat(location(Map.of("storageAccount", "photos", "requestTimeout", "9s")))
                .isEqualTo(location);
        assertThat(location(Map.of("storageAccount", "videos"))).isNotEqualTo(location);
        assertThat(location(Map.of("storageAccount", "photos", "endpoint", "http://127.0.0.1:10000")))
                .isNotEqualTo(location);
    }

    @Test
    void anInvalidParameterIsNamed() {
        Map<String, String> invalid = Map.of(
                "storageAccount", "Photos-1",
                "endpoint", "http://127.0.0.1:10000/photos",
                "publicEndpoint", "ftp://a",
                "pathStyle", "yes",
                "caBundle", "no",
                "proxy", "https://proxy:3128",
                "connectTimeout", "0s",
                "requestTimeout", "61s");
        invalid.forEach((name, value) -> {
            Map<String, String> parameters = new HashMap<>(Map.of("storageAccount", "photos"));
            parameters.put(name, value);
            assertThatThrownBy(() -> factory.parameters().parse(parameters))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("parameter " + name);
        });
    }

    private static String url(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put("storageAccount", "photos");
        return AzureParameters.of(AzureParameters.schema().parse(parameters)).serviceUrl();
    }

    private Object location(Map<String, String> parameters) {
        return factory.location(factory.parameters().parse(parameters));
    }
}
