package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetInfoResponse;
import io.bucketwright.cosi.proto.v1alpha2.IdentityGrpc;
import io.bucketwright.cosi.proto.v1alpha2.IdentityGrpc.IdentityBlockingStub;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocol;
import io.bucketwright.cosi.proto.v1alpha2.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha2.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.Driver;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverInfo;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A driver that speaks {@code sigs.k8s.io.cosi.v1alpha2}, with the messages of March 2026. Experimental: the protocol is not
 * released, and its messages change while its name stays.
 */
public final class V1alpha2Driver implements Driver {

    public static final String PACKAGE = "sigs.k8s.io.cosi.v1alpha2";

    private static final UnsupportedParts UNSUPPORTED = new UnsupportedParts(PACKAGE);

    private final DriverCalls<IdentityBlockingStub> identity;
    private final DriverCalls<ProvisionerBlockingStub> calls;

    public V1alpha2Driver(Channel channel, CallSettings settings) {
        V1alpha2Errors errors = new V1alpha2Errors();
        this.identity = new DriverCalls<>(IdentityGrpc.newBlockingStub(channel), settings, errors);
        this.calls = new DriverCalls<>(ProvisionerGrpc.newBlockingStub(channel), settings, errors);
    }

    /**
     * Asks the driver for its name, until it answers.
     *
     * @throws StatusRuntimeException if it does not answer in time, or does not speak this dialect
     */
    public static String name(Channel channel, Duration atMost) {
        return IdentityGrpc.newBlockingStub(channel)
                .withWaitForReady()
                .withDeadlineAfter(atMost.toNanos(), TimeUnit.NANOSECONDS)
                .driverGetInfo(DriverGetInfoRequest.getDefaultInstance())
                .getName();
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
        DriverGetInfoResponse info =
                identity.info("DriverGetInfo", stub -> stub.driverGetInfo(DriverGetInfoRequest.getDefaultInstance()));
        Set<Protocol> protocols = EnumSet.noneOf(Protocol.class);
        info.getSupportedProtocolsList()
                .forEach(protocol -> known(protocol.getType()).ifPresent(protocols::add));
        return new DriverInfo(info.getName(), protocols);
    }

    @Override
    public DriverAnswer<CreatedBucket> create(DriverOrder.Create order, Supplier<Duration> permitted) {
        return UNSUPPORTED.refusedOr(
                order,
                () -> calls.call(
                        DriverMethod.CREATE_BUCKET,
                        permitted,
                        V1alpha2Requests.create(order),
                        ProvisionerBlockingStub::driverCreateBucket,
                        response -> V1alpha2Answers.created(order, response)));
    }

    @Override
    public DriverAnswer<EmptyAnswer> delete(DriverOrder.Delete order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.DELETE_BUCKET,
                permitted,
                V1alpha2Requests.delete(order),
                ProvisionerBlockingStub::driverDeleteBucket);
    }

    @Override
    public DriverAnswer<GrantedAccess> grant(DriverOrder.Grant order, Supplier<Duration> permitted) {
        return UNSUPPORTED.refusedOr(
                order,
                () -> calls.call(
                        DriverMethod.GRANT_ACCESS,
                        permitted,
                        V1alpha2Requests.grant(order),
                        ProvisionerBlockingStub::driverGrantBucketAccess,
                        response -> V1alpha2Answers.granted(order, response)));
    }

    @Override
    public DriverAnswer<EmptyAnswer> revoke(DriverOrder.Revoke order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.REVOKE_ACCESS,
                permitted,
                V1alpha2Requests.revoke(order),
                ProvisionerBlockingStub::driverRevokeBucketAccess);
    }

    private static Optional<Protocol> known(ObjectProtocol.Type type) {
        return switch (type) {
            case S3 -> Optional.of(Protocol.S3);
            case AZURE -> Optional.of(Protocol.AZURE_BLOB);
            case GCS -> Optional.of(Protocol.GCS);
            case UNKNOWN, UNRECOGNIZED -> Optional.empty();
        };
    }
}
