package io.bucketwright.cosi.bench;

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
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A driver over a store in memory that speaks {@code sigs.k8s.io.cosi.v1alpha2} only, with the messages of March 2026. It is
 * idempotent as the text of that protocol requires. Its ids differ from the names, and from the names for applications.
 */
public final class V1alpha2StubDriver extends StubDriver {

    /** Names of buckets by their ids. */
    public final Map<String, String> buckets = new ConcurrentHashMap<>();

    /** Modes of access by the ids of buckets, by the ids of accounts. */
    public final Map<String, Map<String, AccessMode.Mode>> accounts = new ConcurrentHashMap<>();

    public V1alpha2StubDriver(String name) {
        start(new Identity(name), new Provisioner());
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
