package io.bucketwright.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionDataTest {

    private static final Connection S3 =
            Connection.s3(new BucketName("photos"), Endpoint.parse("https://s3.example.com:9000"), "eu-1");
    private static final Credentials KEY = new Credentials.AccessKey("AKIA1", SecretValue.of("hush")).credentials();

    @Test
    void s3CredentialsHaveBothSpellingsOfTheirKeys() {
        ConnectionData handover = ConnectionData.of(new ProvisionedBucket(S3, KEY), KeyRenames.none());
        assertThat(handover.config())
                .containsOnly(
                        entry("BUCKET_NAME", "photos"),
                        entry("BUCKET_HOST", "s3.example.com"),
                        entry("BUCKET_PORT", "9000"),
                        entry("BUCKET_SSL", "true"),
                        entry("BUCKET_ENDPOINT", "https://s3.example.com:9000"),
                        entry("BUCKET_REGION", "eu-1"),
                        entry("BUCKET_SUBREGION", ""),
                        entry("AWS_ENDPOINT_URL", "https://s3.example.com:9000"),
                        entry("AWS_REGION", "eu-1"));
        assertThat(handover.secret())
                .containsOnly(
                        entry("ACCESS_KEY_ID", SecretValue.of("AKIA1")),
                        entry("SECRET_ACCESS_KEY", SecretValue.of("hush")),
                        entry("AWS_ACCESS_KEY_ID", SecretValue.of("AKIA1")),
                        entry("AWS_SECRET_ACCESS_KEY", SecretValue.of("hush")));
        assertThat(handover.toString()).doesNotContain("hush");
    }

    @Test
    void anSdkGetsNoEmptyRegion() {
        Connection nowhere = Connection.s3(S3.bucket(), S3.endpoint(), "");
        assertThat(ConnectionData.of(new ProvisionedBucket(nowhere, KEY), KeyRenames.none())
                        .config())
                .containsEntry("BUCKET_REGION", "")
                .doesNotContainKey("AWS_REGION");
    }

    @Test
    void aKeyThatAClassAlreadyRenamesToOneOfTheSdksKeepsThatName() {
        ConnectionData data = ConnectionData.of(
                        new ProvisionedBucket(S3, KEY),
                        KeyRenames.parse("BUCKET_ENDPOINT=AWS_ENDPOINT_URL,BUCKET_REGION=AWS_REGION"))
                .withCaBundle("pem", KeyRenames.parse("BUCKET_SSL=ca-bundle.crt"));
        assertThat(data.config())
                .containsEntry("AWS_ENDPOINT_URL", "https://s3.example.com:9000")
                .containsEntry("AWS_REGION", "eu-1")
                .doesNotContainKeys("BUCKET_ENDPOINT", "BUCKET_REGION", "ca-bundle.crt");
    }

    @Test
    void theCaBundleCanBeRenamedAndOmitted() {
        ConnectionData data = ConnectionData.of(new ProvisionedBucket(S3, KEY), KeyRenames.none());
        assertThat(data.withCaBundle("pem", KeyRenames.none()).config()).containsEntry("ca-bundle.crt", "pem");
        assertThat(data.withCaBundle("pem", KeyRenames.parse("ca-bundle.crt=tls.pem"))
                        .config())
                .containsEntry("tls.pem", "pem")
                .doesNotContainKey("ca-bundle.crt");
        assertThat(data.withCaBundle("pem", KeyRenames.parse("ca-bundle.crt=")).config())
                .isEqualTo(data.config());
        assertThat(data.withCaBundle("", KeyRenames.none())).isEqualTo(data);
    }

    @Test
    void oneSecretHoldsEverythingAndRejectsTwoValuesForOneKey() {
        ConnectionData data = ConnectionData.of(new ProvisionedBucket(S3, KEY), KeyRenames.none());
        assertThat(data.withAllInSecret().secret())
                .containsAllEntriesOf(data.secret())
                .containsEntry("BUCKET_NAME", SecretValue.of("photos"))
                .hasSize(data.secret().size() + data.config().size());
        ConnectionData ambiguous =
                ConnectionData.of(new ProvisionedBucket(S3, KEY), KeyRenames.parse("AWS_ACCESS_KEY_ID=BUCKET_NAME"));
        assertThatThrownBy(ambiguous::withAllInSecret)
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("BUCKET_NAME");
    }

    @Test
    void aProtocolHasItsOwnKeys() {
        ConnectionData data = ConnectionData.of(
                new ProvisionedBucket(
                        new Connection(S3.bucket(), S3.endpoint(), Map.of("SWIFT_CONTAINER", "photos")),
                        new Credentials("id", Map.of("OS_TOKEN", SecretValue.of("hush")))),
                KeyRenames.none());
        assertThat(data.config())
                .containsOnly(
                        entry("BUCKET_NAME", "photos"),
                        entry("BUCKET_HOST", "s3.example.com"),
                        entry("BUCKET_PORT", "9000"),
                        entry("BUCKET_SSL", "true"),
                        entry("BUCKET_ENDPOINT", "https://s3.example.com:9000"),
                        entry("BUCKET_REGION", ""),
                        entry("BUCKET_SUBREGION", ""),
                        entry("SWIFT_CONTAINER", "photos"));
        assertThat(data.secret()).containsOnly(entry("OS_TOKEN", SecretValue.of("hush")));
    }

    @Test
    void credentialsHaveAnIdAndValues() {
        assertThat(Credentials.NONE.keyId()).isEmpty();
        for (Map<String, SecretValue> values :
                List.of(Map.<String, SecretValue>of(), Map.of("OS_TOKEN", SecretValue.of("")))) {
            assertThatThrownBy(() -> new Credentials("id", values)).isInstanceOf(Invalid.class);
        }
        Map<String, SecretValue> token = Map.of("OS_TOKEN", SecretValue.of("hush"));
        assertThatThrownBy(() -> new Credentials("", token)).isInstanceOf(Invalid.class);
    }

    @Test
    void keysAreRenamedAndOmitted() {
        KeyRenames renames = KeyRenames.parse("BUCKET_NAME=S3_BUCKET, ACCESS_KEY_ID=,SECRET_ACCESS_KEY=")
                .overriddenBy(KeyRenames.parse("BUCKET_NAME=bucket.name"));
        ConnectionData handover = ConnectionData.of(new ProvisionedBucket(S3, KEY), renames);
        assertThat(handover.config())
                .containsEntry("bucket.name", "photos")
                .doesNotContainKeys("BUCKET_NAME", "S3_BUCKET");
        assertThat(handover.secret()).containsOnlyKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
    }

    @Test
    void additionalConfigAndAdditionalSecretsAreKeptApart() {
        ProvisionedBucket made = new ProvisionedBucket(
                new Connection(S3.bucket(), S3.endpoint(), Map.of("PLACEMENT", "ssd")),
                new Credentials("id", Map.of("TOKEN", SecretValue.of("hush"))));
        ConnectionData handover = ConnectionData.of(made, KeyRenames.none());
        assertThat(handover.config()).containsEntry("PLACEMENT", "ssd").doesNotContainKey("TOKEN");
        assertThat(handover.secret()).containsKey("TOKEN").doesNotContainKey("PLACEMENT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ca-bundle.crt", "a b", "", "a/b", "..", "ü"})
    void additionalKeysThatAreReservedOrMalformedAreRejected(String key) {
        Connection connection = new Connection(S3.bucket(), S3.endpoint(), Map.of(key, "x"));
        Credentials credentials = new Credentials("id", Map.of(key, SecretValue.of("x")));
        for (ProvisionedBucket made :
                List.of(new ProvisionedBucket(connection, KEY), new ProvisionedBucket(S3, credentials))) {
            assertThatThrownBy(() -> ConnectionData.of(made, KeyRenames.none())).isInstanceOf(Invalid.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ACCESS_KEY_ID",
                "AWS_SECRET_ACCESS_KEY",
                "AZURE_STORAGE_SAS_TOKEN",
                "GOOGLE_SERVICE_ACCOUNT_JSON"
            })
    void aSecretIsNotInTheConfigMap(String key) {
        Connection connection = new Connection(S3.bucket(), S3.endpoint(), Map.of(key, "x"));
        assertThatThrownBy(() -> ConnectionData.of(new ProvisionedBucket(connection, KEY), KeyRenames.none()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("reserved");
    }

    /** A container that reads both would get either value. */
    @ParameterizedTest
    @ValueSource(strings = {"BUCKET_NAME", "BUCKET_ENDPOINT", "AWS_REGION", "AZURE_STORAGE_ACCOUNT"})
    void aSecretDoesNotReplaceTheConfigMap(String key) {
        Credentials credentials = new Credentials("id", Map.of(key, SecretValue.of("x")));
        assertThatThrownBy(() -> ConnectionData.of(new ProvisionedBucket(S3, credentials), KeyRenames.none()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("reserved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BUCKET_NAME", "BUCKET_HOST", "BUCKET_PORT", "BUCKET_SSL", "BUCKET_ENDPOINT"})
    void aProtocolCannotReplaceWhatAllHave(String key) {
        Connection connection = new Connection(S3.bucket(), S3.endpoint(), Map.of(key, "x"));
        assertThatThrownBy(() -> ConnectionData.of(new ProvisionedBucket(connection, KEY), KeyRenames.none()))
                .isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPE=A",
                "BUCKET_NAME",
                "BUCKET_NAME=A,BUCKET_NAME=B",
                "BUCKET_NAME=a/b",
                "BUCKET_NAME=A,BUCKET_HOST=A"
            })
    void malformedRenamesAreRejected(String renames) {
        assertThatThrownBy(() -> KeyRenames.parse(renames)).isInstanceOf(Invalid.class);
    }

    @Test
    void aRenameToAnotherKeyIsRejected() {
        assertThatThrownBy(() ->
                        ConnectionData.of(new ProvisionedBucket(S3, KEY), KeyRenames.parse("BUCKET_NAME=BUCKET_HOST")))
                .isInstanceOf(Invalid.class);
    }
}
