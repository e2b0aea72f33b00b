package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.errors.InputText;
import io.grpc.Channel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The protocol of the design of 2020. */
final class CosiV1Dialect implements SanityDialect {

    private final CosiControllerBlockingStub stub;
    private final Duration timeout;

    public CosiV1Dialect(Channel channel, Duration timeout) {
        this.stub = CosiControllerGrpc.newBlockingStub(channel);
        this.timeout = timeout;
    }

    @Override
    public String name() {
        return "cosi.v1";
    }

    @Override
    public Set<CheckNeed> provides() {
        return EnumSet.complementOf(
                EnumSet.of(CheckNeed.RELEASED, CheckNeed.STORE_ACCESS, CheckNeed.ADMINISTRATOR_SECRET));
    }

    @Override
    public DriverIdentity info(boolean waitForReady) {
        CosiControllerBlockingStub driver = waitForReady ? driver().withWaitForReady() : driver();
        DriverInfoResponse response = driver.driverInfo(DriverInfoRequest.getDefaultInstance());
        return new DriverIdentity(response.getDriverName(), response.getSupportedProtocol());
    }

    @Override
    public RpcResult<CreatedTestBucket> create(CreateBucketRequest request) {
        return RpcResult.of(Operation.CREATE, () -> {
            CreateBucketResponse response = driver().createBucket(request);
            return new CreatedTestBucket(
                    () -> problem(request, response.getBucket()),
                    response.getBucket()
                            .getProviderContext()
                            .getGenericContext()
                            .getBucketDataMap(),
                    response);
        });
    }

    @Override
    public RpcResult<NoContent> delete(DeleteBucketRequest request) {
        return RpcResult.of(Operation.DELETE, () -> {
            DeleteBucketResponse _ = driver().deleteBucket(request);
            return new NoContent();
        });
    }

    @Override
    public RpcResult<GrantAnswer> grant(GrantBucketAccessRequest request) {
        return RpcResult.of(Operation.GRANT, () -> {
            GrantBucketAccessResponse response = driver().grantBucketAccess(request);
            return () -> GrantedCredentials.of(request.getRequestProtocol(), response);
        });
    }

    @Override
    public RpcResult<RevokeAnswer> revoke(RevokeBucketAccessRequest request) {
        return RpcResult.of(
                Operation.REVOKE,
                () -> new RevokeAnswer(driver().revokeBucketAccess(request).getCredsCount()));
    }

    private String problem(CreateBucketRequest request, Bucket created) {
        if (!created.getName().equals(request.getBucketName())) {
            return "bucket.name is " + InputText.quote(created.getName()) + ", but " + request.getBucketName()
                    + " was requested.";
        }
        String driver = info(false).name();
        return created.getProvisioner().equals(driver)
                ? ""
                : "bucket.provisioner is " + InputText.quote(created.getProvisioner()) + ", but the driver's name is "
                        + InputText.quote(driver) + ".";
    }

    private CosiControllerBlockingStub driver() {
        return stub.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
