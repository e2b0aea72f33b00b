package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerImplBase;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A good driver whose credentials allow too much or nothing. */
final class CarelessDriver extends CosiControllerImplBase {

    private static final String ID = "AWS_ACCESS_KEY_ID";
    private static final String SECRET = "AWS_SECRET_ACCESS_KEY";

    private final CosiDriver good;
    private final Fault fault;
    private final Manners manners = new Manners(Optional.empty());
    private final Map<String, String> keys = new ConcurrentHashMap<>();

    CarelessDriver(CosiDriver good, Fault fault) {
        this.good = good;
        this.fault = fault;
    }

    @Override
    public void driverInfo(DriverInfoRequest request, StreamObserver<DriverInfoResponse> answer) {
        good.driverInfo(request, answer);
    }

    @Override
    public void createBucket(CreateBucketRequest request, StreamObserver<CreateBucketResponse> answer) {
        CreateBucketRequest.Builder asked = request.toBuilder();
        if (fault == Fault.CREDENTIALS_MAKES_EVERYTHING_PUBLIC) {
            asked.setAccessMode(AccessMode.RW);
        } else if (fault == Fault.CREDENTIALS_IGNORES_THE_ANONYMOUS_MODE) {
            asked.clearAccessMode();
        }
        good.createBucket(asked.build(), answer);
    }

    @Override
    public void deleteBucket(DeleteBucketRequest request, StreamObserver<DeleteBucketResponse> answer) {
        if (fault == Fault.CREDENTIALS_DELETES_NOTHING) {
            answer.onNext(DeleteBucketResponse.getDefaultInstance());
            answer.onCompleted();
        } else {
            good.deleteBucket(request, answer);
        }
    }

    @Override
    public void grantBucketAccess(GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> answer) {
        manners.answer(answer, request, Map.of(), () -> {
            GrantBucketAccessRequest.Builder asked = request.toBuilder();
            String account = request.getPermissionsOrThrow(ParameterKeys.ACCOUNT);
            if (fault == Fault.CREDENTIALS_IGNORES_THE_ACCESS_MODE) {
                asked.removePermissions(ParameterKeys.ACCESS_MODE);
            } else if (fault == Fault.CREDENTIALS_LETS_KEYS_PILE_UP && keys.containsKey(account)) {
                asked.putPermissions(ParameterKeys.PUBLISHED_KEYS, keys.get(account));
            }
            GrantBucketAccessResponse.Builder response =
                    Manners.ask(good::grantBucketAccess, asked.build()).toBuilder();
            var credentials = response.getCredsBuilder(0).getGenericCredentialsBuilder();
            keys.put(account, credentials.getCredentialsOrThrow(ID));
            if (fault == Fault.CREDENTIALS_GRANTS_WHAT_OPENS_NOTHING) {
                credentials.putCredentials(SECRET, "nothing");
            } else if (fault == Fault.CREDENTIALS_GRANTS_THE_ADMINISTRATORS_KEYS) {
                credentials.putAllCredentials(request.getSecretsMap());
            }
            return response.build();
        });
    }

    @Override
    public void revokeBucketAccess(
            RevokeBucketAccessRequest request, StreamObserver<RevokeBucketAccessResponse> answer) {
        if (fault == Fault.CREDENTIALS_REVOKES_NOTHING) {
            answer.onNext(RevokeBucketAccessResponse.getDefaultInstance());
            answer.onCompleted();
        } else {
            good.revokeBucketAccess(request, answer);
        }
    }
}
