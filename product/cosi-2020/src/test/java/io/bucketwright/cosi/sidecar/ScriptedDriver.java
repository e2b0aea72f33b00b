package io.bucketwright.cosi.sidecar;

import com.google.protobuf.Message;
import io.bucketwright.cosi.fixture.StubDriver;
import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
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
import io.bucketwright.cosi.wire.ParameterKeys;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A driver over a store in memory that a test scripts: it fails, is slow, sends invalid responses, stops and restarts. */
final class ScriptedDriver extends StubDriver {

    /** The response instead of the real one; empty for the real one. May block, and may throw a gRPC error. */
    interface Script extends Function<Message, Optional<Message>> {}

    final Map<String, String> buckets = new ConcurrentHashMap<>();
    final Map<String, String> accounts = new ConcurrentHashMap<>();

    private final Map<Class<?>, Script> scripts = new ConcurrentHashMap<>();
    private final Map<Class<?>, UnaryOperator<Message>> alterations = new ConcurrentHashMap<>();
    private final AtomicInteger keys = new AtomicInteger();
    private volatile String name;
    private volatile DataProtocol protocol = DataProtocol.S3;
    private volatile Runnable beforeEffect = () -> {};

    ScriptedDriver(String name) {
        this.name = name;
        start();
    }

    void start() {
        start(new Service());
    }

    /** Stops and starts, as with a new version. */
    void restart() {
        stop();
        start();
    }

    /** Answers these requests by the script from now on. */
    void on(Class<? extends Message> request, Script script) {
        scripts.put(request, script);
    }

    void failing(Class<? extends Message> request, StatusRuntimeException error) {
        on(request, _ -> {
            throw error;
        });
    }

    /** Does the work of these requests, and answers something else. */
    void answering(Class<? extends Message> request, Message response) {
        alterations.put(request, _ -> response);
    }

    void behaving() {
        scripts.clear();
        alterations.clear();
    }

    void called(String other) {
        name = other;
    }

    void speaking(DataProtocol other) {
        protocol = other;
    }

    /** Runs before the work of each request; may throw a gRPC error. */
    void beforeEffect(Runnable action) {
        beforeEffect = action;
    }

    private final class Service extends CosiControllerGrpc.CosiControllerImplBase {

        @Override
        public void driverInfo(DriverInfoRequest request, StreamObserver<DriverInfoResponse> observer) {
            DriverInfoResponse.Builder info = DriverInfoResponse.newBuilder().setDriverName(name);
            observer.onNext(info.setSupportedProtocol(protocol).build());
            observer.onCompleted();
        }

        @Override
        public void createBucket(CreateBucketRequest request, StreamObserver<CreateBucketResponse> observer) {
            serve(request, observer, CreateBucketResponse.class, () -> {
                String uid = request.getDriverParametersOrDefault(ParameterKeys.OWNER_UID, "");
                String owner = buckets.computeIfAbsent(request.getBucketName(), _ -> uid);
                if (!owner.equals(uid)) {
                    throw CosiError.CREATE_ALREADY_EXISTS.exception("Another owns it.");
                }
                return CreateBucketResponse.newBuilder()
                        .setBucket(Bucket.newBuilder()
                                .setName(request.getBucketName())
                                .setProviderContext(ProviderContext.newBuilder()
                                        .setGenericContext(GenericContext.newBuilder()
                                                .putBucketData("BUCKET_NAME", request.getBucketName())
                                                .putBucketData("BUCKET_ENDPOINT", "http://store.test:9000")
                                                .putBucketData("BUCKET_REGION", "north"))))
                        .build();
            });
        }

        @Override
        public void deleteBucket(DeleteBucketRequest request, StreamObserver<DeleteBucketResponse> observer) {
            serve(request, observer, DeleteBucketResponse.class, () -> {
                String uid = request.getDriverParametersOrDefault(ParameterKeys.OWNER_UID, "");
                if (!buckets.getOrDefault(request.getBucketName(), uid).equals(uid)) {
                    throw CosiError.DELETE_INVALID_ARGUMENT.exception("Another owns it.");
                }
                if (!buckets.remove(request.getBucketName(), uid)) {
                    throw CosiError.DELETE_BUCKET_DOESNOT_EXIST.exception("There is none.");
                }
                return DeleteBucketResponse.getDefaultInstance();
            });
        }

        @Override
        public void grantBucketAccess(
                GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> observer) {
            serve(request, observer, GrantBucketAccessResponse.class, () -> {
                if (!buckets.containsKey(request.getBucketName())) {
                    throw CosiError.GRANT_BUCKET_DOESNOT_EXIST.exception("There is none.");
                }
                String key = "secret-" + keys.incrementAndGet();
                accounts.put(request.getPermissionsOrDefault(ParameterKeys.ACCOUNT, ""), key);
                return GrantBucketAccessResponse.newBuilder()
                        .addCreds(ProviderCredentials.newBuilder()
                                .setGenericCredentials(GenericCredentials.newBuilder()
                                        .putCredentials("BUCKET_NAME", request.getBucketName())
                                        .putCredentials("AWS_SECRET_ACCESS_KEY", key)))
                        .build();
            });
        }

        @Override
        public void revokeBucketAccess(
                RevokeBucketAccessRequest request, StreamObserver<RevokeBucketAccessResponse> observer) {
            serve(request, observer, RevokeBucketAccessResponse.class, () -> {
                if (!buckets.containsKey(request.getBucketName())) {
                    throw CosiError.REVOKE_BUCKET_DOESNOT_EXIST.exception("There is none.");
                }
                accounts.remove(request.getPermissionsOrDefault(ParameterKeys.ACCOUNT, ""));
                return RevokeBucketAccessResponse.getDefaultInstance();
            });
        }

        private <R extends Message> void serve(
                Message request, StreamObserver<R> observer, Class<R> type, Supplier<R> work) {
            ScriptedDriver.this.serve(request, observer, () -> {
                beforeEffect.run();
                Message answer = scripts.getOrDefault(request.getClass(), _ -> Optional.empty())
                        .apply(request)
                        .orElseGet(work);
                return type.cast(alterations
                        .getOrDefault(request.getClass(), UnaryOperator.identity())
                        .apply(answer));
            });
        }
    }
}
