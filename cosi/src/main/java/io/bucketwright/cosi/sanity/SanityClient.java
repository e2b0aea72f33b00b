package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.grpc.Channel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The driver as a check sees it: fresh names, right requests, and calls whose traces are removed in the end. */
final class SanityClient {

    private static final int AT_ONCE = 8;
    private static final Duration BETWEEN_SLICES = Duration.ofMillis(50);

    private final CosiControllerBlockingStub driver;
    private final SanityOptions options;
    private final DataProtocol protocol;
    private final CreatedResources remains = new CreatedResources();
    private final AtomicInteger count = new AtomicInteger();
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    SanityClient(Channel channel, SanityOptions options, DataProtocol protocol) {
        this.driver = CosiControllerGrpc.newBlockingStub(channel);
        this.options = options;
        this.protocol = protocol;
    }

    SanityOptions options() {
        return options;
    }

    DataProtocol protocol() {
        return protocol;
    }

    /** Any protocol that this driver does not say it serves. */
    DataProtocol otherProtocol() {
        return protocol == DataProtocol.GCS ? DataProtocol.AZURE_BLOB : DataProtocol.GCS;
    }

    SanityRequests requests() {
        return new SanityRequests(protocol, options.accessParameters(), revealed());
    }

    /** Right requests but for their secrets. */
    SanityRequests requestsWith(Map<String, String> secrets) {
        return new SanityRequests(protocol, options.accessParameters(), secrets);
    }

    /** The secrets of each request, in the clear. */
    Map<String, String> revealed() {
        return options.secrets().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, secret -> secret.getValue().reveal()));
    }

    /** A bucket that is not there yet. */
    TestBucket newBucket() {
        Map<String, String> parameters = new HashMap<>(options.parameters());
        parameters.put(ParameterKeys.CLUSTER, "cosi-sanity-" + run);
        parameters.put(ParameterKeys.BUCKET_UID, UUID.randomUUID().toString());
        return new TestBucket("cosi-sanity-" + run + "-" + count.incrementAndGet(), parameters);
    }

    /** A bucket that is there. */
    TestBucket madeBucket() {
        TestBucket bucket = newBucket();
        create(requests().create(bucket).build()).require("Creating the bucket " + bucket.name());
        return bucket;
    }

    String newAccount() {
        return "ba-" + UUID.randomUUID();
    }

    DriverInfoResponse info() {
        return patient().driverInfo(DriverInfoRequest.getDefaultInstance());
    }

    RpcResult<CreateBucketResponse> create(CreateBucketRequest request) {
        RpcResult<CreateBucketResponse> answer =
                RpcResult.of(Operation.CREATE, () -> patient().createBucket(request));
        if (mayHaveHappened(answer)) {
            remains.bucket(DeleteBucketRequest.newBuilder()
                    .setBucketName(request.getBucketName())
                    .setRequestProtocol(protocol)
                    .putAllDriverParameters(request.getDriverParametersMap())
                    .putAllSecrets(revealed())
                    .build());
        }
        return answer;
    }

    RpcResult<DeleteBucketResponse> delete(DeleteBucketRequest request) {
        return RpcResult.of(Operation.DELETE, () -> patient().deleteBucket(request));
    }

    /** Deletes, and calls again while the driver says that it is at it; the proposal has no other way to wait. */
    RpcResult<DeleteBucketResponse> deleteWholly(DeleteBucketRequest request) {
        long end = System.nanoTime() + options.patience().toNanos();
        RpcResult<DeleteBucketResponse> answer = delete(request);
        while (answer instanceof Refused<DeleteBucketResponse> refused
                && refused.error() == CosiError.DELETE_DELETE_INPROGRESS
                && System.nanoTime() < end) {
            pause();
            answer = delete(request);
        }
        return answer;
    }

    RpcResult<GrantBucketAccessResponse> grant(GrantBucketAccessRequest request) {
        RpcResult<GrantBucketAccessResponse> answer =
                RpcResult.of(Operation.GRANT, () -> patient().grantBucketAccess(request));
        if (mayHaveHappened(answer)) {
            remains.grant(RevokeBucketAccessRequest.newBuilder()
                    .setBucketName(request.getBucketName())
                    .setRequestProtocol(protocol)
                    .putAllPermissions(request.getPermissionsMap())
                    .setProviderContext(request.getProviderContext())
                    .putAllSecrets(revealed())
                    .build());
        }
        return answer;
    }

    RpcResult<RevokeBucketAccessResponse> revoke(RevokeBucketAccessRequest request) {
        return RpcResult.of(Operation.REVOKE, () -> patient().revokeBucketAccess(request));
    }

    /** Several calls at once, and all their answers. */
    <R> List<RpcResult<R>> atOnce(IntFunction<RpcResult<R>> call) {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<RpcResult<R>>> calls = IntStream.range(0, AT_ONCE)
                    .<Callable<RpcResult<R>>>mapToObj(number -> () -> call.apply(number))
                    .toList();
            return callers.invokeAll(calls).stream().map(SanityClient::result).toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The suite was interrupted.", e);
        }
    }

    CreatedResources remains() {
        return remains;
    }

    private CosiControllerBlockingStub patient() {
        return driver.withDeadlineAfter(options.patience().toNanos(), TimeUnit.NANOSECONDS);
    }

    private static boolean mayHaveHappened(RpcResult<?> answer) {
        return !(answer instanceof Refused<?> refused) || refused.error().meaning() == Meaning.TRY_AGAIN;
    }

    private static <R> RpcResult<R> result(Future<RpcResult<R>> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The suite was interrupted.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A call failed in a way that it should not.", e.getCause());
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_SLICES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The suite was interrupted.", e);
        }
    }
}
