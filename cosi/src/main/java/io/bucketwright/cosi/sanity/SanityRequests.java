package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.Map;

/**
 * Right requests, as a sidecar sends them. A check spoils what it wants to see refused.
 *
 * @param accessParameters of the access class
 * @param secrets for each request
 */
record SanityRequests(DataProtocol protocol, Map<String, String> accessParameters, Map<String, String> secrets) {

    SanityRequests {
        accessParameters = Map.copyOf(accessParameters);
        secrets = Map.copyOf(secrets);
    }

    CreateBucketRequest.Builder create(TestBucket bucket) {
        return CreateBucketRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllDriverParameters(bucket.parameters())
                .putAllSecrets(secrets);
    }

    DeleteBucketRequest.Builder delete(TestBucket bucket) {
        return DeleteBucketRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllDriverParameters(bucket.parameters())
                .putAllSecrets(secrets);
    }

    GrantBucketAccessRequest.Builder grant(TestBucket bucket, String account) {
        return GrantBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllPermissions(accessParameters)
                .putPermissions(ParameterKeys.ACCOUNT, account)
                .setProviderContext(context(bucket))
                .putAllSecrets(secrets);
    }

    RevokeBucketAccessRequest.Builder revoke(TestBucket bucket, String account) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllPermissions(accessParameters)
                .putPermissions(ParameterKeys.ACCOUNT, account)
                .setProviderContext(context(bucket))
                .putAllSecrets(secrets);
    }

    private static ProviderContext context(TestBucket bucket) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(bucket.parameters()))
                .build();
    }
}
