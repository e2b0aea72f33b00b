package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketInfoContentTest {

    private static final AccountCredentials KEY =
            new AccountCredentials.S3Key("https://s3.test:9000", "eu-1", "AK", SecretValue.of("SK"));

    private final ReleasedBucketAccessClass accessClass = ReleasedObjects.accessClass(ReleasedObjects.DRIVER);

    @Test
    void theNameOfTheBucketIsTheDriversAndElseThatOfTheBucketObject() throws IOException {
        assertThat(info(new GrantedAccess("id", KEY, "My_Archive"))
                        .at("/spec/bucketName")
                        .asText())
                .isEqualTo("My_Archive");
        assertThat(info(new GrantedAccess("id", KEY)).at("/spec/bucketName").asText())
                .isEqualTo("bucket-claim-uid");
    }

    @Test
    void theSecretHasOneKeyUnlessTheClassRequestsMore() {
        assertThat(text(new GrantedAccess("id", KEY))).containsOnlyKeys("BucketInfo");
        format("json");
        assertThat(text(new GrantedAccess("id", KEY))).containsOnlyKeys("BucketInfo");
    }

    @Test
    void flatKeysOfS3AreThoseOfObjectBucketClaimsAndOfSdks() {
        format("flat");
        Map<String, String> text = text(new GrantedAccess("id", KEY, "photos-2019"));
        text.remove("BucketInfo");
        assertThat(text)
                .isEqualTo(Map.ofEntries(
                        Map.entry("BUCKET_NAME", "photos-2019"),
                        Map.entry("BUCKET_HOST", "s3.test"),
                        Map.entry("BUCKET_PORT", "9000"),
                        Map.entry("BUCKET_SSL", "true"),
                        Map.entry("BUCKET_ENDPOINT", "https://s3.test:9000"),
                        Map.entry("BUCKET_REGION", "eu-1"),
                        Map.entry("BUCKET_SUBREGION", ""),
                        Map.entry("BUCKET_PATH_STYLE", "true"),
                        Map.entry("ACCESS_KEY_ID", "AK"),
                        Map.entry("SECRET_ACCESS_KEY", "SK"),
                        Map.entry("AWS_ACCESS_KEY_ID", "AK"),
                        Map.entry("AWS_SECRET_ACCESS_KEY", "SK"),
                        Map.entry("AWS_REGION", "eu-1"),
                        Map.entry("AWS_DEFAULT_REGION", "eu-1"),
                        Map.entry("AWS_ENDPOINT_URL", "https://s3.test:9000"),
                        Map.entry("AWS_ENDPOINT_URL_S3", "https://s3.test:9000")));
    }

    @ParameterizedTest
    @CsvSource({
        "https://s3.eu-central-1.amazonaws.com, false",
        "https://s3.cn-north-1.amazonaws.com.cn, false",
        "https://amazonaws.com.example.org, true",
        "http://minio.storage.svc:9000, true"
    })
    void onlyTheStoreOfAmazonNeedsNoPathStyle(String endpoint, String expected) {
        format("flat");
        assertThat(text(new GrantedAccess(
                        "id", new AccountCredentials.S3Key(endpoint, "", "AK", SecretValue.of("SK")))))
                .containsEntry("BUCKET_PATH_STYLE", expected)
                .doesNotContainKeys("AWS_REGION", "AWS_DEFAULT_REGION");
    }

    @Test
    void flatKeysWithoutAnEndpointAreThoseThatAreKnown() {
        format("flat");
        Map<String, String> text =
                text(new GrantedAccess("id", new AccountCredentials.S3Key("", "", "AK", SecretValue.of("SK"))));
        text.remove("BucketInfo");
        assertThat(text)
                .containsEntry("BUCKET_NAME", "bucket-claim-uid")
                .containsEntry("AWS_ACCESS_KEY_ID", "AK")
                .containsEntry("AWS_SECRET_ACCESS_KEY", "SK")
                .doesNotContainKeys("AWS_ENDPOINT_URL", "AWS_REGION", "BUCKET_PATH_STYLE");
    }

    @ParameterizedTest
    @CsvSource({
        "https://acme.blob.core.windows.net/photos?sv=1&sig=a%2Bb%3D, acme, https://acme.blob.core.windows.net, 443",
        "http://127.0.0.1:10000/devstoreaccount1/photos?sv=1&sig=a%2Bb%3D, devstoreaccount1,"
                + " http://127.0.0.1:10000/devstoreaccount1, 10000"
    })
    void flatKeysOfAzureAreReadFromTheUrlInTheToken(String url, String account, String service, String port) {
        format("flat");
        Map<String, String> text = text(new GrantedAccess(
                "id", new AccountCredentials.AzureToken(SecretValue.of(url), Optional.empty()), "photos"));
        assertThat(text)
                .containsEntry("BUCKET_NAME", "photos")
                .containsEntry("BUCKET_PORT", port)
                .containsEntry("AZURE_STORAGE_ACCOUNT", account)
                .containsEntry("AZURE_STORAGE_CONTAINER", "photos")
                .containsEntry("AZURE_STORAGE_SERVICE_ENDPOINT", service)
                .containsEntry("AZURE_STORAGE_SAS_TOKEN", "sv=1&sig=a%2Bb%3D")
                .containsEntry(
                        "AZURE_STORAGE_CONNECTION_STRING",
                        "BlobEndpoint=" + service + ";SharedAccessSignature=sv=1&sig=a%2Bb%3D");
    }

    @Test
    void flatKeysOfAzureWithoutAnAddressAreThoseThatAreKnown() {
        format("flat");
        Map<String, String> text = text(new GrantedAccess(
                "id", new AccountCredentials.AzureToken(SecretValue.of("sv=1&sig=abc"), Optional.empty()), "photos"));
        text.remove("BucketInfo");
        assertThat(text)
                .containsOnlyKeys("BUCKET_NAME", "AZURE_STORAGE_CONTAINER", "AZURE_STORAGE_SAS_TOKEN")
                .containsEntry("AZURE_STORAGE_SAS_TOKEN", "sv=1&sig=abc");
    }

    @Test
    void timesHaveNoFractionsOfASecond() throws IOException {
        GrantedAccess granted = new GrantedAccess(
                "id",
                new AccountCredentials.AzureToken(
                        SecretValue.of("T"), Optional.of(Instant.parse("2027-01-31T11:00:00.512345Z"))));
        assertThat(info(granted).at("/spec/secretAzure/expiryTimeStamp").asText())
                .isEqualTo("2027-01-31T11:00:00Z");
    }

    @Test
    void theSecretIsRecognizedWithFlatKeysToo() {
        format("flat");
        assertThat(BucketInfoContent.isOf(
                        new SecretBuilder()
                                .withData(data(new GrantedAccess("id", KEY)))
                                .build(),
                        ReleasedObjects.access().getMetadata().getUid()))
                .isTrue();
    }

    private void format(String format) {
        accessClass.getMetadata().setAnnotations(Map.of(ReleasedNames.SECRET_FORMAT, format));
    }

    private Map<String, String> data(GrantedAccess granted) {
        return BucketInfoContent.data(
                ReleasedObjects.access(),
                accessClass,
                ReleasedObjects.readyBucket().getMetadata().getName(),
                granted);
    }

    private Map<String, String> text(GrantedAccess granted) {
        Map<String, String> text = new TreeMap<>();
        data(granted)
                .forEach((key, value) ->
                        text.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return text;
    }

    private JsonNode info(GrantedAccess granted) throws IOException {
        return new ObjectMapper().readTree(text(granted).get("BucketInfo"));
    }
}
