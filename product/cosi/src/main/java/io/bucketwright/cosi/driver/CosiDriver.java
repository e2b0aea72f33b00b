package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.DriverOperations.BucketCall;
import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerImplBase;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GenericCredentials;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.StoreObserver;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The driver as gRPC sees it: the service of the protocol {@code cosi.v1}. */
public final class CosiDriver extends CosiControllerImplBase implements AutoCloseable {

    /** How long DeleteBucket runs before it answers that the deletion is in progress. Enough for most buckets. */
    private static final Duration DELETING = Duration.ofSeconds(4);

    private final DriverSettings settings;
    private final DriverStores stores;
    private final DriverOperations acts;

    /** Makes the driver without an observer of its calls to the store. */
    public CosiDriver(DriverSettings settings, Stores stores, DriverCredentials credentials) {
        this(settings, stores, credentials, StoreObserver.none());
    }

    /**
     * Makes the driver and sends nothing.
     *
     * @param stores closed with the driver
     * @param observer receives each call to the store
     * @throws StoreException.Invalid if there is no such kind of store, or a parameter is unknown or has a bad value
     */
    public CosiDriver(DriverSettings settings, Stores stores, DriverCredentials credentials, StoreObserver observer) {
        this(settings, stores, credentials, observer, DELETING, MonotonicTime.begin());
    }

    CosiDriver(
            DriverSettings settings,
            Stores stores,
            DriverCredentials credentials,
            StoreObserver observer,
            Duration deleting,
            InstantSource time) {
        this.settings = settings;
        this.stores = new DriverStores(stores, settings.store(), credentials, observer);
        this.stores.check(settings.parameters());
        this.acts = new DriverOperations(settings, this.stores, deleting, time);
    }

    /**
     * The services of the driver in both protocols: {@code cosi.v1}, which is this object, and {@code cosi.v1alpha1}, which
     * the sidecar of Kubernetes SIG Storage calls. Both have the same buckets and accounts.
     */
    public List<BindableService> services() {
        return List.of(this, new ReleasedIdentity(settings.name()), new ReleasedProvisioner(settings, acts));
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
        RpcAnswers.answer(Operation.CREATE, answer, call -> {
            Map<String, String> connection = acts.create(
                    new BucketCall(
                            call,
                            request.getBucketName(),
                            request.getRequestProtocol(),
                            request.getDriverParametersMap(),
                            request.getSecretsMap()),
                    request.getAccessMode());
            return CreateBucketResponse.newBuilder()
                    .setBucket(Bucket.newBuilder()
                            .setName(request.getBucketName())
                            .setProvisioner(settings.name())
                            .setAccessMode(request.getAccessMode())
                            .setProviderContext(ProviderContext.newBuilder()
                                    .setGenericContext(
                                            GenericContext.newBuilder().putAllBucketData(connection))))
                    .build();
        });
    }

    @Override
    public void deleteBucket(DeleteBucketRequest request, StreamObserver<DeleteBucketResponse> answer) {
        RpcAnswers.answer(Operation.DELETE, answer, call -> {
            // In this API the policy Delete deletes the objects, too.
            acts.delete(
                    new BucketCall(
                            call,
                            request.getBucketName(),
                            request.getRequestProtocol(),
                            request.getDriverParametersMap(),
                            request.getSecretsMap()),
                    OnNotEmpty.PURGE);
            return DeleteBucketResponse.getDefaultInstance();
        });
    }

    @Override
    public void grantBucketAccess(GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> answer) {
        RpcAnswers.answer(Operation.GRANT, answer, call -> {
            Map<String, String> credentials = acts.grant(
                    new BucketCall(
                            call,
                            request.getBucketName(),
                            request.getRequestProtocol(),
                            bucketData(request.getProviderContext()),
                            request.getSecretsMap()),
                    new GrantPermissions(request.getPermissionsMap()));
            return GrantBucketAccessResponse.newBuilder()
                    .addCreds(ProviderCredentials.newBuilder()
                            .setGenericCredentials(
                                    GenericCredentials.newBuilder().putAllCredentials(credentials)))
                    .build();
        });
    }

    @Override
    public void revokeBucketAccess(
            RevokeBucketAccessRequest request, StreamObserver<RevokeBucketAccessResponse> answer) {
        RpcAnswers.answer(Operation.REVOKE, answer, call -> {
            acts.revoke(
                    new BucketCall(
                            call,
                            request.getBucketName(),
                            request.getRequestProtocol(),
                            bucketData(request.getProviderContext()),
                            request.getSecretsMap()),
                    new GrantPermissions(request.getPermissionsMap()));
            return RevokeBucketAccessResponse.getDefaultInstance();
        });
    }

    private static Map<String, String> bucketData(ProviderContext context) {
        return context.getGenericContext().getBucketDataMap();
    }

    @Override
    public void close() {
        stores.close();
    }
}
