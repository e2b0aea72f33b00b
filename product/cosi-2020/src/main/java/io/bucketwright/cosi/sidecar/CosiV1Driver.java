package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.DriverCalls;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.Driver;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverInfo;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.SecretValue;
import io.grpc.Channel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A driver that speaks {@code cosi.v1}, the protocol of the design of 2020. Buckets and accounts have names and no ids. */
public final class CosiV1Driver implements Driver {

    private final DriverCalls<CosiControllerBlockingStub> calls;
    private final DriverRequests requests;

    /**
     * A driver at a channel.
     *
     * @param cluster the id of this cluster, for ownership tags
     */
    public CosiV1Driver(Channel channel, CallSettings settings, Supplier<String> cluster) {
        this.calls = new DriverCalls<>(CosiControllerGrpc.newBlockingStub(channel), settings, new DriverErrors());
        this.requests = new DriverRequests(cluster);
    }

    @Override
    public String dialect() {
        return "cosi.v1";
    }

    @Override
    public boolean issuesIds() {
        return false;
    }

    @Override
    public DriverInfo info() {
        DriverInfoResponse info =
                calls.info("DriverInfo", stub -> stub.driverInfo(DriverInfoRequest.getDefaultInstance()));
        return new DriverInfo(
                info.getDriverName(),
                Protocols.name(info.getSupportedProtocol())
                        .flatMap(Protocol::of)
                        .map(Set::of)
                        .orElse(Set.of()));
    }

    @Override
    public DriverAnswer<CreatedBucket> create(DriverOrder.Create order, Supplier<Duration> permitted) {
        CreateBucketRequest request = requests.create(order);
        return calls.call(
                DriverMethod.CREATE_BUCKET,
                permitted,
                request,
                CosiControllerBlockingStub::createBucket,
                response -> created(order, response));
    }

    @Override
    public DriverAnswer<EmptyAnswer> delete(DriverOrder.Delete order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.DELETE_BUCKET,
                permitted,
                requests.delete(order),
                CosiControllerBlockingStub::deleteBucket);
    }

    @Override
    public DriverAnswer<GrantedAccess> grant(DriverOrder.Grant order, Supplier<Duration> permitted) {
        return calls.call(
                DriverMethod.GRANT_ACCESS,
                permitted,
                requests.grant(order),
                CosiControllerBlockingStub::grantBucketAccess,
                response -> granted(order, response));
    }

    @Override
    public DriverAnswer<EmptyAnswer> revoke(DriverOrder.Revoke order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.REVOKE_ACCESS,
                permitted,
                requests.revoke(order),
                CosiControllerBlockingStub::revokeBucketAccess);
    }

    static DriverAnswer<CreatedBucket> created(DriverOrder.Create order, CreateBucketResponse response) {
        if (!response.hasBucket()) {
            return DriverAnswer.invalidResponse(
                    "The response of the driver to CreateBucket contains no bucket. Fix the driver; the sidecar retries.");
        }
        String name = response.getBucket().getName();
        if (!name.isEmpty() && !name.equals(order.bucket().name())) {
            return DriverAnswer.invalidResponse("The driver answered CreateBucket for bucket "
                    + order.bucket().name() + " with bucket " + SafeText.quoted(name)
                    + ". Fix the driver; the sidecar retries.");
        }
        return new DriverAnswer.Done<>(new CreatedBucket(
                Optional.empty(),
                connection(order.bucket().parameters(), response.getBucket().getProviderContext())));
    }

    /** The contexts of the design have no field for the endpoint and the storage account: the class may name them. */
    private static Map<String, String> connection(Map<String, String> parameters, ProviderContext context) {
        return switch (context.getContextCase()) {
            case GENERIC_CONTEXT -> context.getGenericContext().getBucketDataMap();
            case S3_CONTEXT ->
                Map.of(
                        ConnectionDataKey.BUCKET_ENDPOINT.name(),
                        parameters.getOrDefault(ParameterKeys.ENDPOINT, ""),
                        ConnectionDataKey.BUCKET_REGION.name(),
                        context.getS3Context().getLocation());
            case GCS_CONTEXT ->
                Map.of(
                        ConnectionDataKey.GOOGLE_CLOUD_PROJECT.name(),
                        context.getGcsContext().getProject());
            case AZURE_CONTEXT ->
                Map.of(
                        ConnectionDataKey.AZURE_STORAGE_ACCOUNT.name(),
                        parameters.getOrDefault(ParameterKeys.STORAGE_ACCOUNT, ""));
            case CONTEXT_NOT_SET -> Map.of();
        };
    }

    private static DriverAnswer<GrantedAccess> granted(DriverOrder.Grant order, GrantBucketAccessResponse response) {
        Map<String, SecretValue> values = new HashMap<>();
        for (ProviderCredentials credentials : response.getCredsList()) {
            for (Map.Entry<String, String> entry :
                    credentials.getGenericCredentials().getCredentialsMap().entrySet()) {
                if (values.put(entry.getKey(), SecretValue.of(entry.getValue())) != null) {
                    return DriverAnswer.invalidResponse("The driver granted access and returned two values for the key "
                            + SafeText.quoted(entry.getKey()) + ". Fix the driver; the sidecar retries.");
                }
            }
        }
        return new DriverAnswer.Done<>(new GrantedAccess(order.account().name(), new AccountCredentials.Named(values)));
    }
}
