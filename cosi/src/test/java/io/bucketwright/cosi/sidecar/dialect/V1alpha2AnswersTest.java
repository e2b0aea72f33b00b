package io.bucketwright.cosi.sidecar.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha2.AzureBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.AzureCredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.CredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha2.GcsBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.GcsCredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocolAndBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3BucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3CredentialInfo;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.store.connection.SecretValue;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class V1alpha2AnswersTest {

    private static final String BUCKET = "eu/photos-1";
    private static final ObjectProtocolAndBucketInfo S3_INFO = ObjectProtocolAndBucketInfo.newBuilder()
            .setS3(S3BucketInfo.newBuilder().setBucketId("corp-photos").setEndpoint("https://s3.test"))
            .build();
    private static final CredentialInfo S3_KEY = CredentialInfo.newBuilder()
            .setS3(S3CredentialInfo.newBuilder().setAccessKeyId("AK").setAccessSecretKey("SK"))
            .build();

    @Test
    void anAccessKeyIsReadWithTheNameAndTheAddressForApplications() {
        assertThat(granted(Protocol.S3, Map.of("region", "south"), response(BUCKET, S3_INFO, S3_KEY)))
                .isEqualTo(done(new AccountCredentials.S3Key(
                        "corp-photos", "https://s3.test", "south", "AK", SecretValue.of("SK"))));
    }

    @Test
    void aTokenOfAzureAndKeysOfGoogleAreRead() {
        assertThat(granted(
                        Protocol.AZURE_BLOB,
                        Map.of(),
                        response(
                                BUCKET,
                                ObjectProtocolAndBucketInfo.getDefaultInstance(),
                                CredentialInfo.newBuilder()
                                        .setAzure(AzureCredentialInfo.newBuilder()
                                                .setAccessToken("T")
                                                .setExpiryTimestamp("2027-01-31T12:00:00+01:00"))
                                        .build())))
                .isEqualTo(done(new AccountCredentials.AzureToken(
                        SecretValue.of("T"), Optional.of(Instant.parse("2027-01-31T11:00:00Z")))));
        assertThat(granted(
                        Protocol.GCS,
                        Map.of(),
                        response(
                                BUCKET,
                                ObjectProtocolAndBucketInfo.newBuilder()
                                        .setGcs(GcsBucketInfo.newBuilder().setBucketName("b"))
                                        .build(),
                                CredentialInfo.newBuilder()
                                        .setGcs(GcsCredentialInfo.newBuilder()
                                                .setAccessId("AK")
                                                .setAccessSecret("SK"))
                                        .build())))
                .isEqualTo(done(new AccountCredentials.Named(Map.of(
                        "BUCKET_NAME",
                        SecretValue.of("b"),
                        "AWS_ACCESS_KEY_ID",
                        SecretValue.of("AK"),
                        "AWS_SECRET_ACCESS_KEY",
                        SecretValue.of("SK")))));
        assertThat(V1alpha2Answers.time("tomorrow")).isEmpty();
    }

    @Test
    void incompleteAnswersAreInvalid() {
        assertThat(granted(Protocol.S3, Map.of(), DriverGrantBucketAccessResponse.getDefaultInstance()))
                .asString()
                .contains("no account_id");
        assertThat(granted(Protocol.S3, Map.of(), response("another", S3_INFO, S3_KEY)))
                .asString()
                .contains("other buckets than the requested one");
        assertThat(granted(Protocol.AZURE_BLOB, Map.of(), response(BUCKET, S3_INFO, S3_KEY)))
                .asString()
                .contains("no access_token");
        assertThat(granted(Protocol.S3, Map.of(), response(BUCKET, S3_INFO, CredentialInfo.getDefaultInstance())))
                .asString()
                .contains("no access_key_id");
        assertThat(created(DriverCreateBucketResponse.newBuilder()
                        .setProtocols(S3_INFO)
                        .build()))
                .asString()
                .contains("no bucket_id");
        assertThat(created(DriverCreateBucketResponse.newBuilder()
                        .setBucketId(BUCKET)
                        .setProtocols(
                                ObjectProtocolAndBucketInfo.newBuilder().setAzure(AzureBucketInfo.getDefaultInstance()))
                        .build()))
                .asString()
                .contains("not for the requested protocol s3");
    }

    @Test
    void connectionDataComesFromTheAnswerAndElseFromTheClass() {
        assertThat(created(DriverCreateBucketResponse.newBuilder()
                        .setBucketId(BUCKET)
                        .setProtocols(S3_INFO)
                        .build()))
                .isEqualTo(new DriverAnswer.Done<>(new CreatedBucket(
                        Optional.of(BUCKET), Map.of("BUCKET_ENDPOINT", "https://s3.test", "BUCKET_REGION", "south"))));
    }

    private static DriverAnswer<CreatedBucket> created(DriverCreateBucketResponse response) {
        return V1alpha2Answers.created(
                DialectOrders.create(Protocol.S3, Map.of("endpoint", "https://class.test", "region", "south")),
                response);
    }

    private static DriverAnswer<GrantedAccess> done(AccountCredentials credentials) {
        return new DriverAnswer.Done<>(new GrantedAccess("id/1", credentials));
    }

    private static DriverAnswer<GrantedAccess> granted(
            Protocol protocol, Map<String, String> parameters, DriverGrantBucketAccessResponse response) {
        return V1alpha2Answers.granted(DialectOrders.grant(protocol, parameters), response);
    }

    private static DriverGrantBucketAccessResponse response(
            String bucket, ObjectProtocolAndBucketInfo info, CredentialInfo credentials) {
        return DriverGrantBucketAccessResponse.newBuilder()
                .setAccountId("id/1")
                .addBuckets(DriverGrantBucketAccessResponse.BucketInfo.newBuilder()
                        .setBucketId(bucket)
                        .setBucketInfo(info))
                .setCredentials(credentials)
                .build();
    }
}
