package io.bucketwright.cosi.sidecar.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha1.CredentialDetails;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.S3;
import io.bucketwright.cosi.proto.v1alpha1.S3SignatureVersion;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.BackendAccount;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.store.connection.SecretValue;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleasedAnswersTest {

    private static final Map<String, String> KEYS = Map.of(
            "accessKeyID",
            "AK",
            "accessSecretKey",
            "SK",
            "endpoint",
            "https://s3.test",
            "region",
            "north",
            "extra",
            "x");

    @Test
    void anAccessKeyIsReadWithItsAddress() {
        assertThat(granted(Protocol.S3, Map.of("endpoint", "https://class.test"), response("id/1", "s3", KEYS)))
                .isEqualTo(done(new AccountCredentials.S3Key("https://s3.test", "north", "AK", SecretValue.of("SK"))));
    }

    @Test
    void theClassNamesWhatTheDriverLeavesOutAndTheSpellingOfTheSampleIsRead() {
        DriverGrantBucketAccessResponse response =
                response("id/1", "s3", Map.of("accessKeyId", "AK", "accessSecretKey", "SK"));
        assertThat(granted(Protocol.S3, Map.of("endpoint", "https://class.test", "region", "south"), response))
                .isEqualTo(
                        done(new AccountCredentials.S3Key("https://class.test", "south", "AK", SecretValue.of("SK"))));
        assertThat(granted(Protocol.S3, Map.of(), response))
                .isEqualTo(done(new AccountCredentials.S3Key("", "", "AK", SecretValue.of("SK"))));
    }

    @Test
    void theNameOfTheBucketIsReadIfTheDriverSaysIt() {
        Map<String, String> keys = new HashMap<>(KEYS);
        keys.put("bucketName", "cosi-photos");
        assertThat(granted(Protocol.S3, Map.of(), response("id/1", "s3", keys)))
                .isEqualTo(new DriverAnswer.Done<>(new GrantedAccess(
                        "id/1",
                        new AccountCredentials.S3Key("https://s3.test", "north", "AK", SecretValue.of("SK")),
                        "cosi-photos")));
    }

    @Test
    void aTokenOfAzureIsReadWithItsEnd() {
        assertThat(granted(
                        Protocol.AZURE_BLOB,
                        Map.of(),
                        response(
                                "id/1",
                                "azure",
                                Map.of("accessToken", "T", "expiryTs", "2027-01-31 12:00:00.5 +0100 CET m=+1.2"))))
                .isEqualTo(done(new AccountCredentials.AzureToken(
                        SecretValue.of("T"), Optional.of(Instant.parse("2027-01-31T11:00:00Z")))));
    }

    @ParameterizedTest
    @CsvSource({
        "2027-01-31 12:00:00 +0000 UTC, 2027-01-31T12:00:00Z",
        "2027-01-31 12:00:00.123456789 -0730 -0730, 2027-01-31T19:30:00Z",
        "2027-01-31T12:00:00Z,",
        "'',",
        "never ever again,"
    })
    void timesOfGoAreRead(String text, Instant expected) {
        assertThat(ReleasedAnswers.time(text)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void anIamAccountNeedsNoKeys() {
        DriverOrder.Grant keys = DialectOrders.grant(Protocol.S3, Map.of());
        BackendAccount account = keys.account();
        DriverOrder.Grant order = new DriverOrder.Grant(
                keys.bucket(),
                Optional.empty(),
                new BackendAccount(
                        account.name(),
                        account.id(),
                        account.parameters(),
                        account.actions(),
                        "",
                        AccountAuthentication.IAM),
                "",
                Map.of());
        assertThat(ReleasedAnswers.granted(order, response("id/1", "s3", Map.of("endpoint", "https://s3.test"))))
                .isEqualTo(done(new AccountCredentials.S3Key("https://s3.test", "", "", SecretValue.of(""))));
        assertThat(ReleasedAnswers.granted(keys, response("id/1", "s3", Map.of("endpoint", "https://s3.test"))))
                .asString()
                .contains("no accessKeyID");
    }

    @Test
    void incompleteAnswersAreInvalid() {
        assertThat(granted(Protocol.S3, Map.of(), response("", "s3", KEYS)))
                .asString()
                .contains("no account_id");
        assertThat(granted(Protocol.S3, Map.of(), response("id/1", "gcs", KEYS)))
                .asString()
                .contains("not the protocol");
        assertThat(granted(Protocol.GCS, Map.of(), response("id/1", "s3", KEYS)))
                .asString()
                .contains("not the protocol");
        assertThat(granted(Protocol.S3, Map.of(), response("id/1", "s3", Map.of("accessKeyID", "AK"))))
                .asString()
                .contains("no accessSecretKey");
        assertThat(granted(
                        Protocol.S3,
                        Map.of(),
                        DriverGrantBucketAccessResponse.newBuilder()
                                .setAccountId("id/1")
                                .build()))
                .asString()
                .contains("0 entries");
    }

    @Test
    void connectionDataComesFromTheAnswerAndElseFromTheClass() {
        io.bucketwright.cosi.proto.v1alpha1.Protocol info = io.bucketwright.cosi.proto.v1alpha1.Protocol.newBuilder()
                .setS3(S3.newBuilder().setRegion("north").setSignatureVersion(S3SignatureVersion.S3V4))
                .build();
        assertThat(ReleasedAnswers.connection(Map.of("endpoint", "https://class.test", "region", "south"), info))
                .isEqualTo(Map.of(
                        "BUCKET_ENDPOINT",
                        "https://class.test",
                        "BUCKET_REGION",
                        "north",
                        "S3_SIGNATURE_VERSION",
                        "S3v4"));
        assertThat(ReleasedAnswers.connection(
                        Map.of(), io.bucketwright.cosi.proto.v1alpha1.Protocol.getDefaultInstance()))
                .isEmpty();
    }

    private static DriverAnswer<GrantedAccess> done(AccountCredentials credentials) {
        return new DriverAnswer.Done<>(new GrantedAccess("id/1", credentials));
    }

    private static DriverAnswer<GrantedAccess> granted(
            Protocol protocol, Map<String, String> parameters, DriverGrantBucketAccessResponse response) {
        return ReleasedAnswers.granted(DialectOrders.grant(protocol, parameters), response);
    }

    private static DriverGrantBucketAccessResponse response(String account, String kind, Map<String, String> secrets) {
        return DriverGrantBucketAccessResponse.newBuilder()
                .setAccountId(account)
                .putCredentials(
                        kind,
                        CredentialDetails.newBuilder().putAllSecrets(secrets).build())
                .build();
    }
}
