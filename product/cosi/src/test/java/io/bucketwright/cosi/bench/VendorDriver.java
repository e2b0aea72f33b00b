package io.bucketwright.cosi.bench;

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
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A driver over a store in memory that speaks {@code cosi.v1alpha1} only. Its ids differ from the names, each grant creates
 * another account, it reports neither endpoint nor region, and it answers INTERNAL for an account that it does not know.
 */
public final class VendorDriver extends StubDriver {

    /** Names of buckets by their ids. */
    public final Map<String, String> buckets = new ConcurrentHashMap<>();

    /** Secret keys by the ids of accounts. */
    public final Map<String, String> accounts = new ConcurrentHashMap<>();

    private final AtomicInteger keys = new AtomicInteger();

    public VendorDriver(String name) {
        start(new Identity(name), new Provisioner());
    }

    /** The service Identity of a driver of this name. */
    public static final class Identity extends IdentityImplBase {

        private final String name;

        public Identity(String name) {
            this.name = name;
        }

        @Override
        public void driverGetInfo(DriverGetInfoRequest request, StreamObserver<DriverGetInfoResponse> observer) {
            observer.onNext(DriverGetInfoResponse.newBuilder().setName(name).build());
            observer.onCompleted();
        }
    }

    private final class Provisioner extends ProvisionerImplBase {

        @Override
        public void driverCreateBucket(
                DriverCreateBucketRequest request, StreamObserver<DriverCreateBucketResponse> observer) {
            serve(request, observer, () -> {
                String id = "eu:1/" + request.getName() + "@tenant";
                buckets.put(id, request.getName());
                return DriverCreateBucketResponse.newBuilder().setBucketId(id).build();
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
                if (!buckets.containsKey(request.getBucketId())) {
                    throw Status.NOT_FOUND.asRuntimeException();
                }
                int number = keys.incrementAndGet();
                accounts.put("account=" + number, "secret-" + number);
                return DriverGrantBucketAccessResponse.newBuilder()
                        .setAccountId("account=" + number)
                        .putCredentials(
                                "s3",
                                CredentialDetails.newBuilder()
                                        .putSecrets("accessKeyID", "key-" + number)
                                        .putSecrets("accessSecretKey", "secret-" + number)
                                        .build())
                        .build();
            });
        }

        @Override
        public void driverRevokeBucketAccess(
                DriverRevokeBucketAccessRequest request, StreamObserver<DriverRevokeBucketAccessResponse> observer) {
            serve(request, observer, () -> {
                if (accounts.remove(request.getAccountId()) == null) {
                    throw Status.INTERNAL.asRuntimeException();
                }
                return DriverRevokeBucketAccessResponse.getDefaultInstance();
            });
        }
    }
}
