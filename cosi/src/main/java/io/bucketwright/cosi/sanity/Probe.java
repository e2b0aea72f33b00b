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
import io.bucketwright.cosi.sanity.Answer.Refused;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.cosi.wire.Keys;
import io.bucketwright.cosi.wire.Operation;
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
final class Probe {

    private static final int AT_ONCE = 8;
    private static final Duration BETWEEN_SLICES = Duration.ofMillis(50);

    private final CosiControllerBlockingStub driver;
    private final SanityOptions options;
    private final DataProtocol protocol;
    private final Remains remains = new Remains();
    private final AtomicInteger count = new AtomicInteger();
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    Probe(Channel channel, SanityOptions options, DataProtocol protocol) {
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

    Requests requests() {
        return new Requests(protocol, options.accessParameters(), revealed());
    }

    /** Right requests but for their secrets. */
    Requests requestsWith(Map<String, String> secrets) {
        return new Requests(protocol, options.accessParameters(), secrets);
    }

    /** The secrets of each request, in the clear. */
    Map<String, String> revealed() {
        return options.secrets().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, secret -> secret.getValue().reveal()));
    }

    /** A bucket that is not there yet. */
    SampleBucket newBucket() {
        Map<String, String> parameters = new HashMap<>(options.parameters());
        parameters.put(Keys.CLUSTER, "cosi-sanity-" + run);
        parameters.put(Keys.BUCKET_UID, UUID.randomUUID().toString());
        return new SampleBucket("cosi-sanity-" + run + "-" + count.incrementAndGet(), parameters);
    }

    /** A bucket that is there. */
    SampleBucket madeBucket() {
        SampleBucket bucket = newBucket();
        create(requests().create(bucket).build()).require("Creating the bucket " + bucket.name());
        return bucket;
    }

    String newAccount() {
        return "ba-" + UUID.randomUUID();
    }

    DriverInfoResponse info() {
        return patient().driverInfo(DriverInfoRequest.getDefaultInstance());
    }

    Answer<CreateBucketResponse> create(CreateBucketRequest request) {
        Answer<CreateBucketResponse> answer =
                Answer.of(Operation.CREATE, () -> patient().createBucket(request));
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

    Answer<DeleteBucketResponse> delete(DeleteBucketRequest request) {
        return Answer.of(Operation.DELETE, () -> patient().deleteBucket(request));
    }

    /** Deletes, and calls again while the driver says that it is at it; the proposal has no other way to wait. */
    Answer<DeleteBucketResponse> deleteWholly(DeleteBucketRequest request) {
        long end = System.nanoTime() + options.patience().toNanos();
        Answer<DeleteBucketResponse> answer = delete(request);
        while (answer instanceof Refused<DeleteBucketResponse> refused
                && refused.error() == CosiError.DELETE_DELETE_INPROGRESS
                && System.nanoTime() < end) {
            pause();
            answer = delete(request);
        }
        return answer;
    }

    Answer<GrantBucketAccessResponse> grant(GrantBucketAccessRequest request) {
        Answer<GrantBucketAccessResponse> answer =
                Answer.of(Operation.GRANT, () -> patient().grantBucketAccess(request));
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

    Answer<RevokeBucketAccessResponse> revoke(RevokeBucketAccessRequest request) {
        return Answer.of(Operation.REVOKE, () -> patient().revokeBucketAccess(request));
    }

    /** Several calls at once, and all their answers. */
    <R> List<Answer<R>> atOnce(IntFunction<Answer<R>> call) {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Answer<R>>> calls = IntStream.range(0, AT_ONCE)
                    .<Callable<Answer<R>>>mapToObj(number -> () -> call.apply(number))
                    .toList();
            return callers.invokeAll(calls).stream().map(Probe::result).toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The suite was interrupted.", e);
        }
    }

    Remains remains() {
        return remains;
    }

    private CosiControllerBlockingStub patient() {
        return driver.withDeadlineAfter(options.patience().toNanos(), TimeUnit.NANOSECONDS);
    }

    private static boolean mayHaveHappened(Answer<?> answer) {
        return !(answer instanceof Refused<?> refused) || refused.error().meaning() == Meaning.TRY_AGAIN;
    }

    private static <R> Answer<R> result(Future<Answer<R>> future) {
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
