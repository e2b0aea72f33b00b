package io.bucketwright.store.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GcsStoreFactoryTest {

    private static final BucketName PHOTOS = new BucketName("photos");

    private final GcsStoreFactory factory = new GcsStoreFactory();

    private Connection connection(Map<String, String> parameters, AdministratorSecret administrator) {
        return factory.connection(factory.parameters().parse(parameters), administrator, PHOTOS)
                .orElseThrow();
    }

    @Test
    void howApplicationsConnectIsKnownWithoutARequest() throws GeneralSecurityException {
        assertThat(connection(
                        Map.of("project", "photos-project", "publicEndpoint", "https://gcs.example.com"),
                        AdministratorSecret.none()))
                .isEqualTo(connected("https://gcs.example.com", "photos-project"));
        assertThat(connection(Map.of("endpoint", "https://other.example.com"), key("of-the-key")))
                .isEqualTo(connected("https://other.example.com", "of-the-key"));
        assertThatThrownBy(() -> connection(Map.of(), AdministratorSecret.none()))
                .isInstanceOf(Denied.class);
    }

    @Test
    void onlyApplicationsWithAnHmacKeyGetTheKeysOfS3() {
        GcsParameters parameters = GcsParameters.of(factory.parameters().parse(Map.of("project", "photos-project")));
        assertThat(parameters.connection(PHOTOS, false).values())
                .containsOnly(Map.entry("GOOGLE_CLOUD_PROJECT", "photos-project"));
        assertThat(parameters.connection(PHOTOS, true).values())
                .containsEntry("AWS_ENDPOINT_URL", "https://storage.googleapis.com")
                .containsEntry("AWS_REGION", "auto");
    }

    private static Connection connected(String endpoint, String project) {
        return new Connection(
                PHOTOS,
                Endpoint.parse(endpoint),
                Map.of("GOOGLE_CLOUD_PROJECT", project, "AWS_ENDPOINT_URL", endpoint, "AWS_REGION", "auto"));
    }

    private static AdministratorSecret key(String project) throws GeneralSecurityException {
        byte[] key = KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        String pem = "-----BEGIN PRIVATE KEY-----\\n" + Base64.getEncoder().encodeToString(key)
                + "\\n-----END PRIVATE KEY-----\\n";
        return new AdministratorSecret(Map.of(
                "key.json",
                SecretValue.of("{\"type\":\"service_account\",\"client_email\":\"a@b\",\"project_id\":\"" + project
                        + "\",\"private_key\":\"" + pem + "\"}")));
    }
}
