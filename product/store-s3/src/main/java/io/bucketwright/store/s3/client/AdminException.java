package io.bucketwright.store.s3.client;

import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** An error response of an administration API, in the form of those of the AWS SDK. */
final class AdminException extends AwsServiceException {

    private static final long serialVersionUID = 1L;

    AdminException(AwsServiceException.Builder builder) {
        super(builder);
    }
}
