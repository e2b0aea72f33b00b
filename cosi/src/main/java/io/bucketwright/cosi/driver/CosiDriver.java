package io.bucketwright.cosi.driver;

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
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver as gRPC sees it: every RPC gets a {@link StoreCall} that ends when its caller cancels it, and every failure
 * becomes an error of the proposal.
 */
public final class CosiDriver extends CosiControllerImplBase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CosiDriver.class);

    /** For callers who set no deadline. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** How long a deletion works before it answers that it is in progress: long enough for most buckets. */
    private static final Duration DELETING = Duration.ofSeconds(4);

    private final DriverSettings settings;
    private final DriverStores stores;
    private final DriverOperations acts;

    /**
     * Makes the driver and sends nothing.
     *
     * @param stores closed with the driver
     * @throws StoreException.Invalid if there is no such kind of store, or a parameter is unknown or has a bad value
     */
    public CosiDriver(DriverSettings settings, Stores stores, DriverCredentials credentials) {
        this(settings, stores, credentials, DELETING);
    }

    CosiDriver(DriverSettings settings, Stores stores, DriverCredentials credentials, Duration deleting) {
        this.settings = settings;
        this.stores = new DriverStores(stores, settings.store(), credentials);
        this.stores.check(settings.parameters());
        this.acts = new DriverOperations(settings, this.stores, deleting);
    }

    @Override
    public void driverInfo(DriverInfoRequest request, StreamObserver<DriverInfoResponse> answer) {
        answer.onNext(DriverInfoResponse.newBuilder()
                .setDriverName(settings.name())
                .setSupportedProtocol(settings.protocol())
                .build());
        answer.onCompleted();
    }

    @Override
    public void createBucket(CreateBucketRequest request, StreamObserver<CreateBucketResponse> answer) {
        answer(Operation.CREATE, request, answer, acts::create);
    }

    @Override
    public void deleteBucket(DeleteBucketRequest request, StreamObserver<DeleteBucketResponse> answer) {
        answer(Operation.DELETE, request, answer, acts::delete);
    }

    @Override
    public void grantBucketAccess(GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> answer) {
        answer(Operation.GRANT, request, answer, acts::grant);
    }

    @Override
    public void revokeBucketAccess(
            RevokeBucketAccessRequest request, StreamObserver<RevokeBucketAccessResponse> answer) {
        answer(Operation.REVOKE, request, answer, acts::revoke);
    }

    @Override
    public void close() {
        stores.close();
    }

    private static <Q, R> void answer(
            Operation operation, Q request, StreamObserver<R> observer, BiFunction<StoreCall, Q, R> act) {
        Context context = Context.current();
        StoreCall call = StoreCall.within(limit(context));
        Context.CancellationListener cancel = _ -> call.cancel();
        context.addListener(cancel, Runnable::run);
        try {
            observer.onNext(act.apply(call, request));
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        } catch (StoreException e) {
            observer.onError(StoreErrorMapping.of(operation, e));
        } catch (RuntimeException e) {
            // The message may contain anything: it is logged here and not sent to the caller.
            LOG.error("{} failed with an unexpected exception", operation, e);
            observer.onError(CosiError.internal(operation).exception("Internal error of the driver. See its log."));
        } finally {
            context.removeListener(cancel);
        }
    }

    private static Duration limit(Context context) {
        return Optional.ofNullable(context.getDeadline())
                .map(deadline -> Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS))))
                .filter(asked -> asked.compareTo(LONGEST) < 0)
                .orElse(LONGEST);
    }
}
