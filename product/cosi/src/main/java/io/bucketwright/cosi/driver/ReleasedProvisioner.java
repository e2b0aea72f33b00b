package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.DriverOperations.BucketCall;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.DataProtocol;
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
        RpcAnswers.answer(Operation.CREATE, answer, call -> create(call, request));
    }

    @Override
    public void driverDeleteBucket(
            DriverDeleteBucketRequest request, StreamObserver<DriverDeleteBucketResponse> answer) {
        RpcAnswers.answer(Operation.DELETE, answer, call -> {
            delete(call, request);
            return DriverDeleteBucketResponse.getDefaultInstance();
        });
    }

    @Override
    public void driverGrantBucketAccess(
            DriverGrantBucketAccessRequest request, StreamObserver<DriverGrantBucketAccessResponse> answer) {
        RpcAnswers.answer(Operation.GRANT, answer, call -> grantOnce(call, request));
    }

    @Override
    public void driverRevokeBucketAccess(
            DriverRevokeBucketAccessRequest request, StreamObserver<DriverRevokeBucketAccessResponse> answer) {
        RpcAnswers.answer(
                Operation.REVOKE,
                answer,
                call -> turns.inTurn(request.getAccountId(), call, () -> {
                    recent.remove(request.getBucketId(), request.getAccountId());
                    revoke(
                            call,
                            request.getBucketId(),
                            request.getAccountId(),
                            withoutReserved(request.getRevokeAccessContextMap()));
                    return DriverRevokeBucketAccessResponse.getDefaultInstance();
                }));
    }

    private DriverCreateBucketResponse create(StoreCall call, DriverCreateBucketRequest request) {
        refuseReserved(CosiError.CREATE_INVALID_ARGUMENT, request.getParametersMap());
        Map<String, String> connection = acts.create(
                bucketCall(call, request.getName(), request.getParametersMap()), AccessMode.MODE_UNSPECIFIED);
        return DriverCreateBucketResponse.newBuilder()
                .setBucketId(request.getName())
                .setBucketInfo(ReleasedConnection.info(settings.protocol(), connection))
                .build();
    }

    private void delete(StoreCall call, DriverDeleteBucketRequest request) {
        Map<String, String> parameters = withoutReserved(request.getDeleteContextMap());
        try {
            // Nothing in this API says that a deletion destroys objects, so the class must.
            removed(() -> acts.delete(bucketCall(call, request.getBucketId(), parameters), OnNotEmpty.BLOCK));
        } catch (NotEmpty e) {
            throw Status.FAILED_PRECONDITION
                    .withCause(e)
                    .withDescription(e.getMessage() + advice())
                    .asRuntimeException();
        }
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

    private DriverGrantBucketAccessResponse grant(StoreCall call, DriverGrantBucketAccessRequest request) {
        refuseReserved(CosiError.GRANT_INVALID_ARGUMENT, request.getParametersMap());
        if (request.getAuthenticationType() == AuthenticationType.IAM) {
            throw CosiError.GRANT_INVALID_PRINCIPAL.exception("The store of driver " + settings.name()
                    + " issues credentials and does not support workload identity. Use a BucketAccessClass with"
                    + " authenticationType Key.");
        }
        Map<String, String> parameters = request.getParametersMap();
        Map<String, String> credentials = acts.grant(
                bucketCall(call, request.getBucketId(), ofStore(parameters)),
                permissions(request.getName(), parameters));
        if (settings.protocol() == DataProtocol.GCS
                && !credentials.containsKey(ConnectionDataKey.AWS_ACCESS_KEY_ID.key())) {
            revoke(call, request.getBucketId(), request.getName(), parameters);
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

    private void revoke(StoreCall call, String bucketId, String account, Map<String, String> parameters) {
        removed(() -> acts.revoke(bucketCall(call, bucketId, ofStore(parameters)), permissions(account, parameters)));
    }

    private static void removed(Runnable act) {
        try {
            act.run();
        } catch (NotFound e) {
            LOG.debug("What was to be removed does not exist", e);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Code.NOT_FOUND) {
                throw e;
            }
            LOG.debug("What was to be removed does not exist", e);
        }
    }

    /** The messages have no protocol and no secrets. */
    private BucketCall bucketCall(StoreCall call, String bucket, Map<String, String> parameters) {
        return new BucketCall(call, bucket, settings.protocol(), parameters, Map.of());
    }

    /** Of the access class's parameters, those that limit the access; the others are for the store. */
    private static GrantPermissions permissions(String account, Map<String, String> parameters) {
        Map<String, String> permissions = new HashMap<>(parameters);
        permissions.keySet().retainAll(GrantPermissions.OF_THE_CLASS);
        permissions.put(ParameterKeys.ACCOUNT, account);
        return new GrantPermissions(permissions);
    }

    private static Map<String, String> ofStore(Map<String, String> parameters) {
        Map<String, String> store = new HashMap<>(parameters);
        store.keySet().removeAll(GrantPermissions.OF_THE_CLASS);
        return store;
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
