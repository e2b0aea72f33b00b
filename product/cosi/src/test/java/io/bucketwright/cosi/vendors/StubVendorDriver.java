package io.bucketwright.cosi.vendors;

import com.google.protobuf.Message;
import io.bucketwright.cosi.fixture.VendorDriver;
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
import io.bucketwright.cosi.vendors.VendorBackend.Grant;
import io.bucketwright.cosi.wire.SocketPath;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A driver that behaves as the one of a vendor, over a store in memory. It is served at a socket, and its process can end in
 * a call: then the connection ends without an answer, and the driver is started again at the same socket.
 */
public final class StubVendorDriver implements AutoCloseable {

    private final VendorBehavior behavior;
    private final VendorBackend backend;
    private final VendorCluster cluster;
    private final RestartableServer server;
    private final List<Message> requests = new CopyOnWriteArrayList<>();
    private volatile Consumer<Message> beforeEffect = _ -> {};
    private volatile Consumer<Message> afterEffect = _ -> {};

    /**
     * Serves at a socket in the folder.
     *
     * @param name that it reports
     */
    public StubVendorDriver(Vendor vendor, String name, Path folder, VendorCluster cluster) {
        this.behavior = vendor.behavior();
        this.backend = new VendorBackend(behavior);
        this.cluster = cluster;
        this.server = new RestartableServer(
                folder.resolve("cosi.sock"), List.of(new VendorDriver.Identity(name), new Provisioner()));
    }

    public SocketPath socket() {
        return server.socket();
    }

    public VendorBackend backend() {
        return backend;
    }

    /** All requests so far that are of this kind. */
    public <T extends Message> List<T> requests(Class<T> kind) {
        return requests.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Called with each request before the driver does anything; may throw the answer. */
    public void beforeEffect(Consumer<Message> action) {
        beforeEffect = action;
    }

    /** Called with each request that succeeded, before it is answered; may throw the answer. */
    public void afterEffect(Consumer<Message> action) {
        afterEffect = action;
    }

    @Override
    public void close() {
        server.close();
    }

    /** The work returns nothing if the process of the driver ends. */
    private <R> void serve(Message request, StreamObserver<R> observer, Supplier<Optional<R>> work) {
        requests.add(request);
        try {
            beforeEffect.accept(request);
            Optional<R> answer = work.get();
            if (answer.isEmpty()) {
                server.restart();
                return;
            }
            afterEffect.accept(request);
            observer.onNext(answer.get());
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        }
    }

    private void checkParameters(Map<String, String> sent, Map<String, String> known) {
        if (!sent.keySet().containsAll(known.keySet())) {
            throw VendorBackend.error(Code.INVALID_ARGUMENT, "parameters must contain " + known.keySet());
        }
        if (behavior.refusesUnknownParameters && !known.keySet().containsAll(sent.keySet())) {
            throw VendorBackend.error(Code.INVALID_ARGUMENT, "unknown parameters in " + sent.keySet());
        }
    }

    private void checkContext(Map<String, String> context) {
        Set<String> required = behavior.requiredContext;
        if (!context.keySet().containsAll(required)) {
            throw VendorBackend.error(Code.INVALID_ARGUMENT, "the context must contain " + required);
        }
    }

    private void readBucketObject(String id) {
        if (behavior.readsBucketObject
                && !cluster.bucketParameters(id)
                        .orElseThrow(() -> VendorBackend.error(behavior.failure, "buckets \"" + id + "\" not found"))
                        .keySet()
                        .containsAll(behavior.bucketParameters.keySet())) {
            throw VendorBackend.error(behavior.failure, "Bucket " + id + " has no reference to the user's secret");
        }
    }

    private final class Provisioner extends ProvisionerImplBase {

        @Override
        public void driverCreateBucket(
                DriverCreateBucketRequest request, StreamObserver<DriverCreateBucketResponse> observer) {
            serve(request, observer, () -> {
                if (!behavior.names.matcher(request.getName()).matches()) {
                    throw VendorBackend.error(Code.INVALID_ARGUMENT, "invalid name");
                }
                checkParameters(request.getParametersMap(), behavior.bucketParameters);
                return Optional.of(backend.create(request.getName(), request.getParametersMap())
                        .map(id -> DriverCreateBucketResponse.newBuilder()
                                .setBucketId(id)
                                .build())
                        .orElse(DriverCreateBucketResponse.getDefaultInstance()));
            });
        }

        @Override
        public void driverDeleteBucket(
                DriverDeleteBucketRequest request, StreamObserver<DriverDeleteBucketResponse> observer) {
            serve(request, observer, () -> {
                requireId(request.getBucketId());
                checkContext(request.getDeleteContextMap());
                readBucketObject(request.getBucketId());
                backend.delete(request.getBucketId());
                return Optional.of(DriverDeleteBucketResponse.getDefaultInstance());
            });
        }

        @Override
        public void driverGrantBucketAccess(
                DriverGrantBucketAccessRequest request, StreamObserver<DriverGrantBucketAccessResponse> observer) {
            serve(request, observer, () -> {
                requireId(request.getBucketId());
                requireId(request.getName());
                if (request.getAuthenticationType() != AuthenticationType.Key
                        && behavior.otherAuthentication != Code.OK) {
                    throw VendorBackend.error(behavior.otherAuthentication, "only keys are supported");
                }
                checkParameters(request.getParametersMap(), behavior.accessParameters);
                if (behavior.readsAccessObject
                        && !cluster.hasAccess(request.getName().replaceFirst("^ba-", ""))) {
                    throw VendorBackend.error(behavior.failure, "no BucketAccess for " + request.getName());
                }
                return backend.grant(request.getBucketId(), request.getName())
                        .map(grant -> granted(request.getBucketId(), grant));
            });
        }

        @Override
        public void driverRevokeBucketAccess(
                DriverRevokeBucketAccessRequest request, StreamObserver<DriverRevokeBucketAccessResponse> observer) {
            serve(request, observer, () -> {
                requireId(request.getBucketId());
                requireId(request.getAccountId());
                checkContext(request.getRevokeAccessContextMap());
                readBucketObject(request.getBucketId());
                backend.revoke(request.getAccountId());
                return Optional.of(DriverRevokeBucketAccessResponse.getDefaultInstance());
            });
        }

        private static void requireId(String id) {
            if (id.isEmpty()) {
                throw Status.INVALID_ARGUMENT
                        .withDescription("an id is missing")
                        .asRuntimeException();
            }
        }

        private DriverGrantBucketAccessResponse granted(String bucketId, Grant grant) {
            CredentialDetails.Builder details = CredentialDetails.newBuilder();
            String secret = VendorBackend.secretKey(grant.key());
            if (behavior.azure) {
                details.putSecrets("accessToken", secret);
            } else {
                details.putSecrets(behavior.keyIdName, "key-" + grant.key()).putSecrets("accessSecretKey", secret);
                if (behavior.endpoint) {
                    details.putSecrets("endpoint", "https://s3.test");
                }
                if (behavior.region) {
                    details.putSecrets("region", "north");
                }
                if (behavior.bucketNameAsExtraKey) {
                    details.putSecrets("bucketName", bucketId);
                }
            }
            return DriverGrantBucketAccessResponse.newBuilder()
                    .setAccountId(grant.accountId())
                    .putCredentials(behavior.azure ? "azure" : "s3", details.build())
                    .build();
        }
    }
}
