package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.CredentialDetails;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerImplBase;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service Provisioner of {@code cosi.v1alpha1}, by the same operations as {@code cosi.v1}. The ids of buckets and
 * accounts are their names. The protocol has no field for the owner, so the names of driver and bucket are the owner.
 *
 * <p>What does not exist counts as removed, with code OK: the sidecar of Kubernetes SIG Storage repeats a revocation for ever
 * on any error.
 */
final class ReleasedProvisioner extends ProvisionerImplBase {

    private static final Logger LOG = LoggerFactory.getLogger(ReleasedProvisioner.class);

    private final DriverSettings settings;
    private final DriverOperations acts;
    private final RecentGrants recent = new RecentGrants(MonotonicTime.begin());
    private final BucketLocks turns = new BucketLocks();

    ReleasedProvisioner(DriverSettings settings, DriverOperations acts) {
        this.settings = settings;
        this.acts = acts;
    }

    @Override
    public void driverCreateBucket(
            DriverCreateBucketRequest request, StreamObserver<DriverCreateBucketResponse> answer) {
        RpcAnswers.answer(Operation.CREATE, request, answer, this::create);
    }

    @Override
    public void driverDeleteBucket(
            DriverDeleteBucketRequest request, StreamObserver<DriverDeleteBucketResponse> answer) {
        RpcAnswers.answer(Operation.DELETE, request, answer, this::delete);
    }

    @Override
    public void driverGrantBucketAccess(
            DriverGrantBucketAccessRequest request, StreamObserver<DriverGrantBucketAccessResponse> answer) {
        RpcAnswers.answer(Operation.GRANT, request, answer, this::grantOnce);
    }

    @Override
    public void driverRevokeBucketAccess(
            DriverRevokeBucketAccessRequest request, StreamObserver<DriverRevokeBucketAccessResponse> answer) {
        RpcAnswers.answer(Operation.REVOKE, request, answer, this::revokeOnce);
    }

    private DriverCreateBucketResponse create(StoreCall call, DriverCreateBucketRequest request) {
        refuseReserved(CosiError.CREATE_INVALID_ARGUMENT, request.getParametersMap());
        CreateBucketRequest translated = CreateBucketRequest.newBuilder()
                .setBucketName(request.getName())
                .setRequestProtocol(settings.protocol())
                .putAllDriverParameters(request.getParametersMap())
                .build();
        Map<String, String> connection = acts.create(call, translated)
                .getBucket()
                .getProviderContext()
                .getGenericContext()
                .getBucketDataMap();
        return DriverCreateBucketResponse.newBuilder()
                .setBucketId(request.getName())
                .setBucketInfo(ReleasedConnection.info(settings.protocol(), connection))
                .build();
    }

    private DriverDeleteBucketResponse delete(StoreCall call, DriverDeleteBucketRequest request) {
        DeleteBucketRequest translated = DeleteBucketRequest.newBuilder()
                .setBucketName(request.getBucketId())
                .setRequestProtocol(settings.protocol())
                .putAllDriverParameters(withoutReserved(request.getDeleteContextMap()))
                .build();
        try {
            // Nothing in this API says that a deletion destroys objects, so the class must.
            removed(
                    call,
                    translated,
                    (limit, deletion) -> acts.delete(limit, deletion, OnNotEmpty.BLOCK),
                    DeleteBucketResponse.getDefaultInstance());
        } catch (NotEmpty e) {
            throw Status.FAILED_PRECONDITION
                    .withCause(e)
                    .withDescription(e.getMessage() + advice())
                    .asRuntimeException();
        }
        return DriverDeleteBucketResponse.getDefaultInstance();
    }

    /** A Bucket may not contradict its driver. */
    private String advice() {
        return settings.parameters().containsKey(CallParameters.ON_NOT_EMPTY)
                ? ""
                : " To delete its objects with it, set the parameter " + CallParameters.ON_NOT_EMPTY
                        + " of the Bucket to purge.";
    }

    private DriverGrantBucketAccessResponse grantOnce(StoreCall call, DriverGrantBucketAccessRequest request) {
        return turns.inTurn(
                request.getName(),
                call,
                () -> recent.find(request).orElseGet(() -> {
                    DriverGrantBucketAccessResponse granted = grant(call, request);
                    recent.put(request, granted);
                    return granted;
                }));
    }

    private DriverRevokeBucketAccessResponse revokeOnce(StoreCall call, DriverRevokeBucketAccessRequest request) {
        return turns.inTurn(request.getAccountId(), call, () -> {
            recent.remove(request.getBucketId(), request.getAccountId());
            return revoke(call, request);
        });
    }

    private DriverGrantBucketAccessResponse grant(StoreCall call, DriverGrantBucketAccessRequest request) {
        refuseReserved(CosiError.GRANT_INVALID_ARGUMENT, request.getParametersMap());
        if (request.getAuthenticationType() == AuthenticationType.IAM) {
            throw CosiError.GRANT_INVALID_PRINCIPAL.exception("The store of driver " + settings.name()
                    + " issues credentials and does not support workload identity. Use a BucketAccessClass with"
                    + " authenticationType Key.");
        }
        GrantBucketAccessRequest translated = GrantBucketAccessRequest.newBuilder()
                .setBucketName(request.getBucketId())
                .setRequestProtocol(settings.protocol())
                .putAllPermissions(permissions(request.getName(), request.getParametersMap()))
                .setProviderContext(context(request.getParametersMap()))
                .build();
        Map<String, String> credentials =
                acts.grant(call, translated).getCreds(0).getGenericCredentials().getCredentialsMap();
        if (settings.protocol() == DataProtocol.GCS
                && !credentials.containsKey(ConnectionDataKey.AWS_ACCESS_KEY_ID.key())) {
            revoke(
                    call,
                    DriverRevokeBucketAccessRequest.newBuilder()
                            .setBucketId(request.getBucketId())
                            .setAccountId(request.getName())
                            .putAllRevokeAccessContext(request.getParametersMap())
                            .build());
            throw CosiError.GRANT_INVALID_ARGUMENT.exception("The protocol cosi.v1alpha1 has no field for the key of a"
                    + " service account. Use HMAC keys, which are the default of the store gcs.");
        }
        return DriverGrantBucketAccessResponse.newBuilder()
                .setAccountId(request.getName())
                .putCredentials(
                        settings.protocol() == DataProtocol.AZURE_BLOB ? "azure" : "s3",
                        CredentialDetails.newBuilder()
                                .putAllSecrets(ReleasedConnection.credentials(settings.protocol(), credentials))
                                .build())
                .build();
    }

    private DriverRevokeBucketAccessResponse revoke(StoreCall call, DriverRevokeBucketAccessRequest request) {
        Map<String, String> parameters = withoutReserved(request.getRevokeAccessContextMap());
        RevokeBucketAccessRequest translated = RevokeBucketAccessRequest.newBuilder()
                .setBucketName(request.getBucketId())
                .setRequestProtocol(settings.protocol())
                .putAllPermissions(permissions(request.getAccountId(), parameters))
                .setProviderContext(context(parameters))
                .build();
        removed(call, translated, acts::revoke, RevokeBucketAccessResponse.getDefaultInstance());
        return DriverRevokeBucketAccessResponse.getDefaultInstance();
    }

    private static <Q, R> R removed(StoreCall call, Q request, BiFunction<StoreCall, Q, R> act, R absent) {
        try {
            return act.apply(call, request);
        } catch (NotFound e) {
            LOG.debug("What was to be removed does not exist", e);
            return absent;
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Code.NOT_FOUND) {
                throw e;
            }
            LOG.debug("What was to be removed does not exist", e);
            return absent;
        }
    }

    /** Of the access class's parameters, those that limit the access; the others are for the store. */
    private static Map<String, String> permissions(String account, Map<String, String> parameters) {
        Map<String, String> permissions = new HashMap<>(parameters);
        permissions.keySet().retainAll(GrantPermissions.OF_THE_CLASS);
        permissions.put(ParameterKeys.ACCOUNT, account);
        return permissions;
    }

    private static ProviderContext context(Map<String, String> parameters) {
        Map<String, String> store = new HashMap<>(parameters);
        store.keySet().removeAll(GrantPermissions.OF_THE_CLASS);
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(store))
                .build();
    }

    /** In this protocol all parameters come from a class: it must not name the owner of a bucket. */
    private static void refuseReserved(CosiError refusal, Map<String, String> parameters) {
        parameters.keySet().stream()
                .filter(key -> key.startsWith(ParameterKeys.RESERVED))
                .sorted()
                .findFirst()
                .ifPresent(key -> {
                    throw refusal.exception("The parameter " + key + " is reserved. Create a class without it.");
                });
    }

    private static Map<String, String> withoutReserved(Map<String, String> parameters) {
        Map<String, String> rest = new HashMap<>(parameters);
        rest.keySet().removeIf(key -> key.startsWith(ParameterKeys.RESERVED));
        return rest;
    }
}
