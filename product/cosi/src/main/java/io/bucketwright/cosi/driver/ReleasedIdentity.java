package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoResponse;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.IdentityImplBase;
import io.grpc.stub.StreamObserver;

/** The service Identity of {@code cosi.v1alpha1}. */
final class ReleasedIdentity extends IdentityImplBase {

    private final String name;

    ReleasedIdentity(String name) {
        this.name = name;
    }

    @Override
    public void driverGetInfo(DriverGetInfoRequest request, StreamObserver<DriverGetInfoResponse> answer) {
        answer.onNext(DriverGetInfoResponse.newBuilder().setName(name).build());
        answer.onCompleted();
    }
}
