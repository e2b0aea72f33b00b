package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.connection.Credentials;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.DelegatingS3Client;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.CreateBucketResponse;
import software.amazon.awssdk.services.s3.model.PutBucketOwnershipControlsRequest;
import software.amazon.awssdk.services.s3.model.PutBucketOwnershipControlsResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Sends the requests of a shared client with the credentials of one account, and leaves out what the gateway takes for
 * another request: it rejects tags in CreateBucket, and creates the bucket again if it does not know the part of a bucket
 * that is put.
 */
final class AccountClient extends DelegatingS3Client {

    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;

    private final AwsCredentialsProvider account;

    AccountClient(S3Client shared, Credentials.AccessKey key) {
        super(shared);
        this.account = StaticCredentialsProvider.create(
                AwsBasicCredentials.create(key.id(), key.secret().reveal()));
    }

    @Override
    protected <T extends S3Request, R> R invokeOperation(T request, Function<T, R> operation) {
        AwsRequestOverrideConfiguration configuration = request.overrideConfiguration()
                .map(AwsRequestOverrideConfiguration::toBuilder)
                .orElseGet(AwsRequestOverrideConfiguration::builder)
                .credentialsProvider(account)
                .build();
        @SuppressWarnings("unchecked") // The builder of a request builds requests of its type.
        T signed = (T) request.toBuilder().overrideConfiguration(configuration).build();
        return operation.apply(signed);
    }

    @Override
    public CreateBucketResponse createBucket(CreateBucketRequest request) {
        @Nullable String location = request.createBucketConfiguration().locationConstraintAsString();
        CreateBucketRequest.Builder untagged = request.toBuilder();
        if (location == null) {
            untagged.createBucketConfiguration((CreateBucketConfiguration) null);
        } else {
            untagged.createBucketConfiguration(configuration -> configuration.locationConstraint(location));
        }
        try {
            return super.createBucket(untagged.build());
        } catch (S3Exception e) {
            throw e.statusCode() == FORBIDDEN ? replacedKey(e) : e;
        }
    }

    /** Two processes created the account at the same time, and the key of one is lost. The next attempt reads the other. */
    private static AwsServiceException replacedKey(S3Exception denied) {
        return S3Exception.builder()
                .cause(denied)
                .statusCode(CONFLICT)
                .awsErrorDetails(
                        AwsErrorDetails.builder().errorCode("OperationAborted").build())
                .build();
    }

    /** The gateway has none: it always accepts ACLs. */
    @Override
    public PutBucketOwnershipControlsResponse putBucketOwnershipControls(PutBucketOwnershipControlsRequest request) {
        return PutBucketOwnershipControlsResponse.builder().build();
    }
}
