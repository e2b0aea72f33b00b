package io.bucketwright.cosi.wire;

import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerImplBase;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GenericCredentials;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.grpc.stub.StreamObserver;

/** A driver without manners: it hands out what it was given, and blurts secrets in its errors. */
final class EchoService extends CosiControllerImplBase {

    @Override
    public void driverInfo(DriverInfoRequest request, StreamObserver<DriverInfoResponse> answer) {
        answer.onNext(DriverInfoResponse.newBuilder().setDriverName("echo").build());
        answer.onCompleted();
    }

    @Override
    public void createBucket(CreateBucketRequest request, StreamObserver<CreateBucketResponse> answer) {
        answer.onError(CosiError.CREATE_INVALID_CREDENTIALS.exception("The store refused " + request.getSecretsMap()));
    }

    @Override
    public void grantBucketAccess(GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> answer) {
        answer.onNext(GrantBucketAccessResponse.newBuilder()
                .addCreds(ProviderCredentials.newBuilder()
                        .setGenericCredentials(
                                GenericCredentials.newBuilder().putAllCredentials(request.getSecretsMap())))
                .build());
        answer.onCompleted();
    }
}
