package io.bucketwright.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionDataTest {

    private static final Connection S3 = new Connection.S3(
            new BucketName("photos"), Endpoint.parse("https://s3.example.com:9000"), "eu-1", "", true);
    private static final Credentials KEY = new Credentials.AccessKey("AKIA1", SecretValue.of("hush"));

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
        Connection nowhere = new Connection.S3(S3.bucket(), S3.endpoint(), "", "", true);
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
    void otherProtocolsHaveTheirOwnKeys() {
        Credentials.SasToken token = new Credentials.SasToken("policy", SecretValue.of("sv=1&sig=x"));
        Connection emulator =
                new Connection.Azure(S3.bucket(), new Endpoint(false, "127.0.0.1", 10_000), "photos", true);
        ConnectionData microsoft = ConnectionData.of(new ProvisionedBucket(emulator, token), KeyRenames.none());
        assertThat(microsoft.config())
                .containsEntry("AZURE_STORAGE_ACCOUNT", "photos")
                .containsEntry("AZURE_STORAGE_CONTAINER", S3.bucket().text())
                .containsEntry("AZURE_STORAGE_SERVICE_ENDPOINT", "http://127.0.0.1:10000/photos");
        assertThat(microsoft.secret())
                .containsOnly(
                        entry("AZURE_STORAGE_SAS_TOKEN", SecretValue.of("sv=1&sig=x")),
                        entry(
                                "AZURE_STORAGE_CONNECTION_STRING",
                                SecretValue.of("BlobEndpoint=http://127.0.0.1:10000/photos;"
                                        + "SharedAccessSignature=sv=1&sig=x")));
        Connection cloud = new Connection.Azure(
                S3.bucket(), new Endpoint(true, "photos.blob.core.windows.net", 443), "photos", false);
        assertThat(ConnectionData.of(new ProvisionedBucket(cloud, token), KeyRenames.none())
                        .config())
                .containsEntry("AZURE_STORAGE_SERVICE_ENDPOINT", "https://photos.blob.core.windows.net");
        Connection gcs = new Connection.Gcs(S3.bucket(), S3.endpoint(), "project");
        ConnectionData google = ConnectionData.of(
                new ProvisionedBucket(gcs, new Credentials.ServiceAccountKey("id", SecretValue.of("{}"))),
                KeyRenames.none());
        assertThat(google.secret()).containsOnlyKeys("GOOGLE_SERVICE_ACCOUNT_JSON");
        assertThat(google.config())
                .containsEntry("GOOGLE_CLOUD_PROJECT", "project")
                .doesNotContainKeys("AWS_ENDPOINT_URL", "AWS_REGION");
        assertThat(ConnectionData.of(new ProvisionedBucket(gcs, KEY), KeyRenames.none())
                        .config())
                .containsEntry("AWS_ENDPOINT_URL", S3.endpoint().toString())
                .containsEntry("AWS_REGION", "auto");
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
                S3, KEY, Map.of("PLACEMENT", "ssd"), Map.of("TOKEN", SecretValue.of("hush")), Map.of());
        ConnectionData handover = ConnectionData.of(made, KeyRenames.none());
        assertThat(handover.config()).containsEntry("PLACEMENT", "ssd").doesNotContainKey("TOKEN");
        assertThat(handover.secret()).containsKey("TOKEN").doesNotContainKey("PLACEMENT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BUCKET_NAME",
                "AWS_REGION",
                "ca-bundle.crt",
                "AWS_ACCESS_KEY_ID",
                "SECRET_ACCESS_KEY",
                "a b",
                "",
                "a/b",
                "..",
                "ü"
            })
    void additionalKeysThatAreReservedOrMalformedAreRejected(String key) {
        assertThatThrownBy(() -> ConnectionData.of(
                        new ProvisionedBucket(S3, KEY, Map.of(key, "x"), Map.of(), Map.of()), KeyRenames.none()))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> ConnectionData.of(
                        new ProvisionedBucket(S3, KEY, Map.of(), Map.of(key, SecretValue.of("x")), Map.of()),
                        KeyRenames.none()))
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
