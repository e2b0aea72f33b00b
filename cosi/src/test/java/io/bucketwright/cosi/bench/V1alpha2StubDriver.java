package io.bucketwright.cosi.bench;

import com.google.protobuf.Message;
import io.bucketwright.cosi.proto.v1alpha2.AccessMode;
import io.bucketwright.cosi.proto.v1alpha2.CredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverDeleteBucketResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetExistingBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetExistingBucketResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetInfoResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessResponse.BucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverRevokeBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha2.IdentityGrpc.IdentityImplBase;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocol;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocolAndBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.ProvisionerGrpc.ProvisionerImplBase;
import io.bucketwright.cosi.proto.v1alpha2.S3AddressingStyle;
import io.bucketwright.cosi.proto.v1alpha2.S3BucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3CredentialInfo;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A driver over a store in memory that speaks {@code sigs.k8s.io.cosi.v1alpha2} only, with the messages of March 2026. It is
 * idempotent as the text of that protocol requires. Its ids differ from the names, and from the names for applications.
 */
public final class V1alpha2StubDriver implements AutoCloseable {

    /** Names of buckets by their ids. */
    public final Map<String, String> buckets = new ConcurrentHashMap<>();

    /** Modes of access by the ids of buckets, by the ids of accounts. */
    public final Map<String, Map<String, AccessMode.Mode>> accounts = new ConcurrentHashMap<>();

    private final List<Message> requests = new CopyOnWriteArrayList<>();
    private volatile Runnable afterEffect = () -> {};
    private final Path directory;
    private final SocketServer server;

    public V1alpha2StubDriver(String name) {
        try {
            this.directory = Files.createTempDirectory("cosi");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.server = SocketServer.start(
                new SocketPath(directory.resolve("cosi.sock")), List.of(new Identity(name), new Provisioner()));
    }

    public String endpoint() {
        return server.socket().toString();
    }

    public <T extends Message> List<T> asked(Class<T> request) {
        return requests.stream().filter(request::isInstance).map(request::cast).toList();
    }

    /** Runs after each call has taken effect and before it is answered; may throw a StatusRuntimeException. */
    public void afterEffect(Runnable action) {
        afterEffect = action;
    }

    @Override
    public void close() {
        server.close();
        try {
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <R> void serve(Message request, StreamObserver<R> observer, Supplier<R> work) {
        requests.add(request);
        try {
            R answer = work.get();
            afterEffect.run();
            observer.onNext(answer);
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        }
    }

    private ObjectProtocolAndBucketInfo info(String id) {
        return ObjectProtocolAndBucketInfo.newBuilder()
                .setS3(S3BucketInfo.newBuilder()
                        .setBucketId("corp-" + buckets.get(id))
                        .setEndpoint("https://s3.test")
                        .setRegion("north")
                        .setAddressingStyle(S3AddressingStyle.newBuilder().setStyle(S3AddressingStyle.Style.PATH)))
                .build();
    }

    private static final class Identity extends IdentityImplBase {

        private final String name;

        Identity(String name) {
            this.name = name;
        }

        @Override
        public void driverGetInfo(DriverGetInfoRequest request, StreamObserver<DriverGetInfoResponse> observer) {
            observer.onNext(DriverGetInfoResponse.newBuilder()
                    .setName(name)
                    .addSupportedProtocols(ObjectProtocol.newBuilder().setType(ObjectProtocol.Type.S3))
                    .build());
            observer.onCompleted();
        }
    }

    private final class Provisioner extends ProvisionerImplBase {

        @Override
        public void driverCreateBucket(
                DriverCreateBucketRequest request, StreamObserver<DriverCreateBucketResponse> observer) {
            serve(request, observer, () -> {
                String id = "tenant/" + request.getName();
                buckets.put(id, request.getName());
                return DriverCreateBucketResponse.newBuilder()
                        .setBucketId(id)
                        .setProtocols(info(id))
                        .build();
            });
        }

        @Override
        public void driverGetExistingBucket(
                DriverGetExistingBucketRequest request, StreamObserver<DriverGetExistingBucketResponse> observer) {
            serve(request, observer, () -> {
                String id = request.getExistingBucketId();
                if (!buckets.containsKey(id)) {
                    throw Status.NOT_FOUND.asRuntimeException();
                }
                return DriverGetExistingBucketResponse.newBuilder()
                        .setBucketId(id)
                        .setProtocols(info(id))
                        .build();
            });
        }

        @Override
        public void driverDeleteBucket(
                DriverDeleteBucketRequest request, StreamObserver<DriverDeleteBucketResponse> observer) {
            serve(request, observer, () -> {
                buckets.remove(request.getBucketId());
                return DriverDeleteBucketResponse.getDefaultInstance();
            });
        }

        @Override
        public void driverGrantBucketAccess(
                DriverGrantBucketAccessRequest request, StreamObserver<DriverGrantBucketAccessResponse> observer) {
            serve(request, observer, () -> {
                String id = "user/" + request.getAccountName();
                Map<String, AccessMode.Mode> modes = new ConcurrentHashMap<>();
                DriverGrantBucketAccessResponse.Builder answer = DriverGrantBucketAccessResponse.newBuilder()
                        .setAccountId(id)
                        .setCredentials(CredentialInfo.newBuilder()
                                .setS3(S3CredentialInfo.newBuilder()
                                        .setAccessKeyId("key-of-" + id)
                                        .setAccessSecretKey("secret-of-" + id)));
                request.getBucketsList().forEach(bucket -> {
                    if (!buckets.containsKey(bucket.getBucketId())) {
                        throw Status.NOT_FOUND.asRuntimeException();
                    }
                    modes.put(bucket.getBucketId(), bucket.getAccessMode().getMode());
                    answer.addBuckets(BucketInfo.newBuilder()
                            .setBucketId(bucket.getBucketId())
                            .setBucketInfo(info(bucket.getBucketId())));
                });
                accounts.put(id, modes);
                return answer.build();
            });
        }

        @Override
        public void driverRevokeBucketAccess(
                DriverRevokeBucketAccessRequest request, StreamObserver<DriverRevokeBucketAccessResponse> observer) {
            serve(request, observer, () -> {
                accounts.remove(request.getAccountId());
                return DriverRevokeBucketAccessResponse.getDefaultInstance();
            });
        }
    }
}
