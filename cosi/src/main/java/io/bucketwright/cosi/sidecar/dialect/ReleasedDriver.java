package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.IdentityBlockingStub;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.Driver;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverInfo;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.grpc.Channel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A driver that speaks {@code cosi.v1alpha1}, the released protocol. It issues ids for buckets and accounts. An order with a
 * part that the protocol cannot express is refused: without that part the driver would open a bucket, or grant more than
 * the class allows.
 */
public final class ReleasedDriver implements Driver {

    static final String PACKAGE = "cosi.v1alpha1";

    private static final UnsupportedParts UNSUPPORTED = new UnsupportedParts(PACKAGE);

    private final DriverCalls<IdentityBlockingStub> identity;
    private final DriverCalls<ProvisionerBlockingStub> calls;

    public ReleasedDriver(Channel channel, CallSettings settings) {
        ReleasedErrors errors = new ReleasedErrors();
        this.identity = new DriverCalls<>(IdentityGrpc.newBlockingStub(channel), settings, errors);
        this.calls = new DriverCalls<>(ProvisionerGrpc.newBlockingStub(channel), settings, errors);
    }

    @Override
    public String dialect() {
        return PACKAGE;
    }

    @Override
    public boolean issuesIds() {
        return true;
    }

    @Override
    public DriverInfo info() {
        String name = identity.info(
                        "DriverGetInfo", stub -> stub.driverGetInfo(DriverGetInfoRequest.getDefaultInstance()))
                .getName();
        return new DriverInfo(name, EnumSet.allOf(Protocol.class));
    }

    @Override
    public DriverAnswer<CreatedBucket> create(DriverOrder.Create order, Supplier<Duration> permitted) {
        return UNSUPPORTED.refusedOr(
                order,
                () -> calls.call(
                        DriverMethod.CREATE_BUCKET,
                        permitted,
                        DriverCreateBucketRequest.newBuilder()
                                .setName(order.bucket().name())
                                .putAllParameters(order.bucket().parameters())
                                .build(),
                        ProvisionerBlockingStub::driverCreateBucket,
                        response -> created(order, response)));
    }

    @Override
    public DriverAnswer<EmptyAnswer> delete(DriverOrder.Delete order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.DELETE_BUCKET,
                permitted,
                DriverDeleteBucketRequest.newBuilder()
                        .setBucketId(order.bucket().id())
                        .putAllDeleteContext(order.bucket().parameters())
                        .build(),
                ProvisionerBlockingStub::driverDeleteBucket);
    }

    @Override
    public DriverAnswer<GrantedAccess> grant(DriverOrder.Grant order, Supplier<Duration> permitted) {
        return UNSUPPORTED.refusedOr(
                order,
                () -> calls.call(
                        DriverMethod.GRANT_ACCESS,
                        permitted,
                        DriverGrantBucketAccessRequest.newBuilder()
                                .setBucketId(order.bucket().id())
                                .setName(order.account().name())
                                .setAuthenticationType(
                                        authentication(order.account().authentication()))
                                .putAllParameters(order.account().parameters())
                                .build(),
                        ProvisionerBlockingStub::driverGrantBucketAccess,
                        response -> ReleasedAnswers.granted(order, response)));
    }

    @Override
    public DriverAnswer<EmptyAnswer> revoke(DriverOrder.Revoke order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.REVOKE_ACCESS,
                permitted,
                DriverRevokeBucketAccessRequest.newBuilder()
                        .setBucketId(order.bucket().id())
                        .setAccountId(order.account().id())
                        .putAllRevokeAccessContext(order.account().parameters())
                        .build(),
                ProvisionerBlockingStub::driverRevokeBucketAccess);
    }

    private static AuthenticationType authentication(AccountAuthentication requested) {
        return switch (requested) {
            case KEY -> AuthenticationType.Key;
            case IAM -> AuthenticationType.IAM;
            case UNKNOWN -> AuthenticationType.UnknownAuthenticationType;
        };
    }

    private static DriverAnswer<CreatedBucket> created(DriverOrder.Create order, DriverCreateBucketResponse response) {
        return response.getBucketId().isEmpty()
                ? DriverAnswer.invalidResponse("The response of the driver to DriverCreateBucket contains no bucket_id."
                        + " Fix the driver; the sidecar retries.")
                : new DriverAnswer.Done<>(new CreatedBucket(
                        Optional.of(response.getBucketId()),
                        ReleasedAnswers.connection(order.bucket().parameters(), response.getBucketInfo())));
    }
}
