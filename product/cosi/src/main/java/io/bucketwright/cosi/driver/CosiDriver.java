package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.DriverOperations.BucketCall;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerImplBase;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
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
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.store.access.TextDigest;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.StoreObserver;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The driver as gRPC sees it: the service of the protocol {@code cosi.v1}. */
public final class CosiDriver extends CosiControllerImplBase implements AutoCloseable {

    /** How long DeleteBucket runs before it answers that the deletion is in progress. Enough for most buckets. */
    private static final Duration DELETING = Duration.ofSeconds(4);

    /** The principal's name consists of it and nine more characters. */
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,50}");

    private final DriverSettings settings;
    private final String protocol;
    private final DataProtocol declared;
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
        StoreFactory kind = stores.factory(settings.store());
        Map<String, String> parameters = new HashMap<>(kind.protocolParameters());
        parameters.putAll(settings.parameters());
        this.protocol = kind.protocol(parameters);
        this.declared = Protocols.parse(protocol)
                .orElseThrow(() -> new StoreException.Invalid("COSI has no protocol " + protocol + ": the store "
                        + settings.store() + " cannot be used with a driver."));
        this.stores = new DriverStores(stores, settings.store(), credentials, observer);
        this.stores.check(parameters);
        this.acts = new DriverOperations(parameters, this.stores, deleting, time);
    }

    /** The services of the driver, without the id of a cluster: what stands for it follows from the driver's name. */
    public List<BindableService> services() {
        return services(() -> clusterIdOf(settings.name()));
    }

    /** The cluster id in ownership tags of a driver that does not know its cluster: all drivers of this name have it. */
    public static String clusterIdOf(String driver) {
        return TextDigest.of(driver).hex(OwnershipTags.ID_BYTES);
    }

    /**
     * The services of the driver in both protocols: {@code cosi.v1}, which is this object, and {@code cosi.v1alpha1}, which
     * the sidecar of Kubernetes SIG Storage calls. Both have the same stores.
     *
     * @param cluster the id of the cluster, for ownership tags. Requests of {@code cosi.v1} bring it themselves
     */
    public List<BindableService> services(Supplier<String> cluster) {
        return List.of(
                this,
                ReleasedProvisioner.identity(settings.name()),
                new ReleasedProvisioner(settings, protocol, acts, cluster));
    }

    @Override
    public void driverInfo(DriverInfoRequest request, StreamObserver<DriverInfoResponse> answer) {
        answer.onNext(DriverInfoResponse.newBuilder()
                .setDriverName(settings.name())
                .setSupportedProtocol(declared)
                .build());
        answer.onCompleted();
    }

    @Override
    public void createBucket(CreateBucketRequest request, StreamObserver<CreateBucketResponse> answer) {
        RpcAnswers.answer(Operation.CREATE, answer, time -> {
            check(CosiError.CREATE_INVALID_PROTOCOL, request.getRequestProtocol());
            BucketCall call =
                    call(time, request.getBucketName(), request.getDriverParametersMap(), request.getSecretsMap());
            checkIds(request.getDriverParametersMap());
            Map<String, String> connection = new HashMap<>();
            if ("true".equals(request.getDriverParametersMap().get(ParameterKeys.CLOSE))) {
                acts.close(call);
            } else {
                connection.putAll(acts.create(call, anonymous(request.getAccessMode())));
                if (declared == DataProtocol.S3) {
                    connection.put(ParameterKeys.S3_SIGNATURE_VERSION, "S3v4");
                }
            }
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
        RpcAnswers.answer(Operation.DELETE, answer, time -> {
            check(CosiError.DELETE_INVALID_ARGUMENT, request.getRequestProtocol());
            BucketCall call =
                    call(time, request.getBucketName(), request.getDriverParametersMap(), request.getSecretsMap());
            checkIds(request.getDriverParametersMap());
            // In this API the policy Delete deletes the objects, too.
            acts.delete(call, OnNotEmpty.PURGE).ifPresent(rest -> {
                throw CosiError.DELETE_DELETE_INPROGRESS.exception(rest);
            });
            return DeleteBucketResponse.getDefaultInstance();
        });
    }

    @Override
    public void grantBucketAccess(GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> answer) {
        RpcAnswers.answer(Operation.GRANT, answer, time -> {
            check(CosiError.GRANT_INVALID_ARGUMENT, request.getRequestProtocol());
            GrantPermissions permissions = new GrantPermissions(request.getPermissionsMap());
            permissions.serviceAccount().ifPresent(name -> {
                throw CosiError.GRANT_INVALID_PRINCIPAL.exception("The store of driver " + settings.name()
                        + " issues credentials and does not support service accounts of Kubernetes, so "
                        + InputText.quote(name)
                        + " cannot be granted access. Ask for a Secret (accessSecretName) instead.");
            });
            BucketCall call = call(
                    time, request.getBucketName(), bucketData(request.getProviderContext()), request.getSecretsMap());
            Map<String, String> credentials =
                    acts.grant(call, account(CosiError.GRANT_INVALID_PRINCIPAL, permissions), permissions);
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
        RpcAnswers.answer(Operation.REVOKE, answer, time -> {
            check(CosiError.REVOKE_INVALID_ARGUMENT, request.getRequestProtocol());
            BucketCall call = call(
                    time, request.getBucketName(), bucketData(request.getProviderContext()), request.getSecretsMap());
            acts.revoke(
                    call,
                    account(CosiError.REVOKE_INVALID_PRINCIPAL, new GrantPermissions(request.getPermissionsMap())));
            return RevokeBucketAccessResponse.getDefaultInstance();
        });
    }

    private BucketCall call(
            StoreCall time, String bucket, Map<String, String> parameters, Map<String, String> secrets) {
        return new BucketCall(
                time,
                bucket,
                OwnershipTags.of(parameters, settings.name()),
                CallParameters.withoutReserved(parameters),
                secrets);
    }

    private void check(CosiError refusal, DataProtocol requested) {
        if (requested != declared) {
            throw refusal.exception("request_protocol is " + requested + ", but the driver " + settings.name()
                    + " speaks " + protocol + " only.");
        }
    }

    private static void checkIds(Map<String, String> parameters) {
        if (parameters.getOrDefault(ParameterKeys.CLUSTER, "").isEmpty()
                != parameters.getOrDefault(ParameterKeys.OWNER_UID, "").isEmpty()) {
            throw new StoreException.Invalid("parameters " + ParameterKeys.CLUSTER + " and " + ParameterKeys.OWNER_UID
                    + " identify the owner of the bucket; give both or neither");
        }
    }

    private static String account(CosiError refusal, GrantPermissions permissions) {
        String account = permissions
                .account()
                .orElseThrow(() -> RpcAnswers.argument(refusal.operation())
                        .exception("permissions must name the account, as " + ParameterKeys.ACCOUNT + "."));
        if (!ACCOUNT.matcher(account).matches()) {
            throw refusal.exception("The account " + InputText.quote(account)
                    + " must be at most 51 letters, digits, dots, underscores and hyphens, and begin with a letter or"
                    + " digit.");
        }
        return account;
    }

    private static String anonymous(AccessMode mode) {
        return switch (mode) {
            case MODE_UNSPECIFIED -> "";
            case RO -> "ro";
            case WO -> "wo";
            case RW -> "rw";
            case UNRECOGNIZED ->
                throw new StoreException.Invalid("access_mode must be one of RO, WO, RW, or left out for private");
        };
    }

    private static Map<String, String> bucketData(ProviderContext context) {
        return context.getGenericContext().getBucketDataMap();
    }

    @Override
    public void close() {
        stores.close();
    }
}
