package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.pki.CertificateAuthority;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/** A store that is reached by https only, with a certificate of an authority that nobody else knows. */
class TlsIT extends ScenarioTestBase {

    @Test
    void aClassWithItsAuthoritysCertificateBindsByHttpsAndHandsTheEncryptedEndpointOver() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create();
        scenario.serve();
        try (StoreProxy s3 = StoreProxy.tls(scenario.access().endpoint(), authority);
                StoreProxy iam = StoreProxy.tls(scenario.access().iamEndpoint(), authority)) {
            String storageClass = storageClass("tls", s3, iam, authority);
            scenario.bind("mine", Scenario.newBucket(storageClass).ssl(true));
            assertThat(scenario.config("mine"))
                    .containsEntry("BUCKET_SSL", "true")
                    .containsEntry("BUCKET_ENDPOINT", s3.endpoint())
                    .containsEntry("BUCKET_PORT", Integer.toString(s3.port()))
                    .containsEntry("BUCKET_HOST", "127.0.0.1");
            assertThat(scenario.objectBuckets().getFirst().getSpec().endpoint())
                    .as("the ObjectBucket has it too")
                    .satisfies(endpoint -> {
                        assertThat(endpoint.ssl()).isTrue();
                        assertThat(endpoint.securePort()).isEqualTo(s3.port());
                    });
            Map<String, String> config = scenario.config("mine");
            Map<String, String> keys = scenario.keys("mine");
            String bucket = config.getOrDefault("BUCKET_NAME", "");
            try (S3Client application = trusting(authority, config, keys)) {
                application.putObject(it -> it.bucket(bucket).key("hello"), RequestBody.fromString("world"));
                assertThat(application
                                .getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                                .asUtf8String())
                        .isEqualTo("world");
                application.deleteObject(it -> it.bucket(bucket).key("hello"));
            }
            scenario.assertAllCanBeDeleted();
        }
    }

    @Test
    void aClassWithAnotherAuthoritysCertificateIsReportedOnTheClaimAndNothingIsMade() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create();
        scenario.serve();
        try (StoreProxy s3 = StoreProxy.tls(scenario.access().endpoint(), authority);
                StoreProxy iam = StoreProxy.tls(scenario.access().iamEndpoint(), authority)) {
            String storageClass = storageClass("wrong", s3, iam, CertificateAuthority.create());
            scenario.claim("mine", Scenario.newBucket(storageClass));
            assertThat(scenario.awaitReason("mine", "StoreUnavailable"))
                    .contains("certificate")
                    .contains("caBundle")
                    .doesNotContain("Exception")
                    .doesNotContain("\n");
            scenario.assertNothingIsLeft();
            // It never reached the store, so its deletion does not need the store.
            scenario.at("mine").delete();
            scenario.awaitDeleted("mine");
            assertThat(scenario.objectBuckets()).isEmpty();
        }
    }

    private String storageClass(String name, StoreProxy s3, StoreProxy iam, CertificateAuthority trusted) {
        return scenario.s3Class(
                name,
                Map.of(
                        "endpoint", s3.endpoint(),
                        "iamEndpoint", iam.endpoint(),
                        "caBundle", trusted.credential().certificatePem()));
    }

    private static S3Client trusting(
            CertificateAuthority authority, Map<String, String> config, Map<String, String> keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.credential().certificate());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        TrustManager[] managers = factory.getTrustManagers();
        return StoreView.s3(
                config.getOrDefault("BUCKET_ENDPOINT", ""),
                keys.getOrDefault("AWS_ACCESS_KEY_ID", "none"),
                keys.getOrDefault("AWS_SECRET_ACCESS_KEY", "none"),
                UrlConnectionHttpClient.builder()
                        .tlsTrustManagersProvider(() -> managers)
                        .build());
    }
}
