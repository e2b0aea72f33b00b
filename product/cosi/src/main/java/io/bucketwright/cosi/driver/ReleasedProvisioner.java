package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.DriverOperations.BucketCall;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.CredentialDetails;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.IdentityImplBase;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerImplBase;
import io.bucketwright.cosi.wire.AccountIds;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service Provisioner of {@code cosi.v1alpha1}, by the same operations as {@code cosi.v1}. The ids of buckets and
 * accounts are their names. The protocol has no field for the owner: the id of the cluster and the name of the bucket are
 * the owner.
 *
 * <p>What does not exist counts as removed, with code OK: the sidecar of Kubernetes SIG Storage repeats a revocation for ever
 * on any error.
 */
final class ReleasedProvisioner extends ProvisionerImplBase {

    private static final Logger LOG = LoggerFactory.getLogger(ReleasedProvisioner.class);

    private final DriverSettings settings;
    private final String protocol;
    private final DriverOperations acts;
    private final Supplier<String> cluster;
    private final RecentGrants recent = new RecentGrants(MonotonicTime.begin());
    private final BucketLocks turns = new BucketLocks();

    ReleasedProvisioner(DriverSettings settings, String protocol, DriverOperations acts, Supplier<String> cluster) {
        this.settings = settings;
        this.protocol = protocol;
        this.acts = acts;
        this.cluster = cluster;
    }

    /** The service Identity. Its answer also says that the ids of accounts are their names. */
    static BindableService identity(String driver) {
        IdentityImplBase identity = new IdentityImplBase() {
            @Override
            public void driverGetInfo(DriverGetInfoRequest request, StreamObserver<DriverGetInfoResponse> answer) {
                answer.onNext(DriverGetInfoResponse.newBuilder().setName(driver).build());
                answer.onCompleted();
            }
        };
        return AccountIds.areNames(identity);
    }

    @Override
    public void driverCreateBucket(
            DriverCreateBucketRequest request, StreamObserver<DriverCreateBucketResponse> answer) {
        RpcAnswers.answer(Operation.CREATE, answer, time -> {
            Map<String, String> parameters = CallParameters.ofAClass(request.getParametersMap());
            Map<String, String> connection = create(call(time, request.getName(), parameters));
            return DriverCreateBucketResponse.newBuilder()
                    .setBucketId(request.getName())
                    .setBucketInfo(ReleasedConnection.info(protocol, connection))
                    .build();
        });
    }

    @Override
    public void driverDeleteBucket(
            DriverDeleteBucketRequest request, StreamObserver<DriverDeleteBucketResponse> answer) {
        RpcAnswers.answer(Operation.DELETE, answer, time -> {
            delete(call(time, request.getBucketId(), request.getDeleteContextMap()))
                    .ifPresent(rest -> {
                        throw CosiError.DELETE_DELETE_INPROGRESS.exception(rest);
                    });
            return DriverDeleteBucketResponse.getDefaultInstance();
        });
    }

    @Override
    public void driverGrantBucketAccess(
            DriverGrantBucketAccessRequest request, StreamObserver<DriverGrantBucketAccessResponse> answer) {
        RpcAnswers.answer(
                Operation.GRANT,
                answer,
                time -> turns.inTurn(
                        request.getName(),
                        time,
                        () -> recent.find(request).orElseGet(() -> {
                            DriverGrantBucketAccessResponse granted = grant(time, request);
                            recent.put(request, granted);
                            return granted;
                        })));
    }

    @Override
    public void driverRevokeBucketAccess(
            DriverRevokeBucketAccessRequest request, StreamObserver<DriverRevokeBucketAccessResponse> answer) {
        RpcAnswers.answer(
                Operation.REVOKE,
                answer,
                time -> turns.inTurn(request.getAccountId(), time, () -> {
                    recent.remove(request.getBucketId(), request.getAccountId());
                    try {
                        acts.revoke(
                                call(time, request.getBucketId(), ofStore(request.getRevokeAccessContextMap())),
                                request.getAccountId());
                    } catch (NotFound e) {
                        LOG.debug("The account to revoke does not exist", e);
                    }
                    return DriverRevokeBucketAccessResponse.getDefaultInstance();
                }));
    }

    /** Sidecars take ALREADY_EXISTS for the bucket of a call whose answer was lost. Here, such a call succeeds. */
    private Map<String, String> create(BucketCall call) {
        try {
            return acts.create(call, "");
        } catch (Taken e) {
            throw refused(e, "");
        }
    }

    private Optional<String> delete(BucketCall call) {
        try {
            // Nothing in this API says that a deletion destroys objects, so the class must.
            return acts.delete(call, OnNotEmpty.BLOCK);
        } catch (NotFound e) {
            LOG.debug("The bucket to delete does not exist", e);
            return Optional.empty();
        } catch (NotEmpty e) {
            throw refused(e, advice());
        }
    }

    private static StatusRuntimeException refused(StoreException e, String advice) {
        return Status.FAILED_PRECONDITION
                .withCause(e)
                .withDescription(e.getMessage() + advice)
                .asRuntimeException();
    }

    /** A Bucket may not contradict its driver. */
    private String advice() {
        return settings.parameters().containsKey(CallParameters.ON_NOT_EMPTY)
                ? ""
                : " To delete its objects with it, set the parameter " + CallParameters.ON_NOT_EMPTY
                        + " of the Bucket to purge.";
    }

    private DriverGrantBucketAccessResponse grant(StoreCall time, DriverGrantBucketAccessRequest request) {
        Map<String, String> parameters = CallParameters.ofAClass(request.getParametersMap());
        if (request.getAuthenticationType() == AuthenticationType.IAM) {
            throw CosiError.GRANT_INVALID_PRINCIPAL.exception("The store of driver " + settings.name()
                    + " issues credentials and does not support workload identity. Use a BucketAccessClass with"
                    + " authenticationType Key.");
        }
        String kind = ReleasedConnection.kind(protocol)
                .orElseThrow(() -> CosiError.GRANT_INVALID_ARGUMENT.exception("The driver " + settings.name()
                        + " issues keys of service accounts, and the BucketInfo of objectstorage.k8s.io has no field for"
                        + " them. Start the driver with --param principalKeys=hmac, so that it issues keys for clients of"
                        + " S3, or use the objects of cosi.io."));
        Map<String, String> limits = new HashMap<>(parameters);
        limits.keySet().retainAll(GrantPermissions.OF_THE_CLASS);
        Map<String, String> credentials = acts.grant(
                call(time, request.getBucketId(), ofStore(parameters)),
                request.getName(),
                new GrantPermissions(limits));
        return DriverGrantBucketAccessResponse.newBuilder()
                .setAccountId(request.getName())
                .putCredentials(
                        kind,
                        CredentialDetails.newBuilder()
                                .putAllSecrets(ReleasedConnection.credentials(protocol, credentials))
                                .build())
                .build();
    }

    /** The messages have no secrets. */
    private BucketCall call(StoreCall time, String bucket, Map<String, String> parameters) {
        OwnershipTags owners = new OwnershipTags(cluster.get(), Optional.empty(), Optional.empty());
        return new BucketCall(time, bucket, owners, CallParameters.withoutReserved(parameters), Map.of());
    }

    /** Of the access class's parameters, those that do not limit the access. */
    private static Map<String, String> ofStore(Map<String, String> parameters) {
        Map<String, String> store = new HashMap<>(parameters);
        store.keySet().removeAll(GrantPermissions.OF_THE_CLASS);
        return store;
    }
}
