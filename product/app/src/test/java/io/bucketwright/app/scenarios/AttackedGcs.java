package io.bucketwright.app.scenarios;

import io.bucketwright.testing.gcs.GcsServer;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A strict server of Google Cloud Storage. */
record AttackedGcs(GcsServer server) implements AttackedStore {

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>(server.parameters());
        // The released kinds have no field for the key of a service account.
        parameters.put("principalKeys", "hmac");
        return parameters;
    }

    @Override
    public Map<String, String> administrator() {
        return Map.of("GOOGLE_SERVICE_ACCOUNT_JSON", server.administratorKey());
    }

    @Override
    public Set<String> buckets() {
        return server.buckets();
    }

    @Override
    public Set<String> accounts() {
        return server.accounts();
    }

    @Override
    public int keysOf(String account) {
        return 1;
    }

    @Override
    public boolean works(IssuedKey key) {
        try (S3Client application = application(key)) {
            application.putObject(
                    request -> request.bucket(key.bucket()).key("hello"), RequestBody.fromString(key.bucket()));
            return application
                    .getObjectAsBytes(request -> request.bucket(key.bucket()).key("hello"))
                    .asUtf8String()
                    .equals(key.bucket());
        } catch (S3Exception refused) {
            return false;
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /** Cloud Storage accepts neither the checksums nor the chunks that newer SDKs send. */
    private static S3Client application(IssuedKey key) {
        return S3Client.builder()
                .endpointOverride(URI.create(key.endpoint()))
                .region(Region.of(key.region()))
                .credentialsProvider(StoreView.credentials(key.id(), key.secret()))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(true)
                        .chunkedEncodingEnabled(false)
                        .build())
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }
}
