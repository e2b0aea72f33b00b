package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha2.AccessMode;
import io.bucketwright.cosi.proto.v1alpha2.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocol;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;

/** Turns orders into requests of {@code sigs.k8s.io.cosi.v1alpha2}. Accounts authenticate with keys. */
final class V1alpha2Requests {

    private static final AuthenticationType KEY =
            AuthenticationType.newBuilder().setType(AuthenticationType.Type.KEY).build();

    private V1alpha2Requests() {}

    static DriverCreateBucketRequest create(DriverOrder.Create order) {
        DriverCreateBucketRequest.Builder request = DriverCreateBucketRequest.newBuilder()
                .setName(order.bucket().name())
                .putAllParameters(order.bucket().parameters());
        order.protocol().ifPresent(protocol -> request.addProtocols(protocol(protocol)));
        return request.build();
    }

    static DriverDeleteBucketRequest delete(DriverOrder.Delete order) {
        return DriverDeleteBucketRequest.newBuilder()
                .setBucketId(order.bucket().id())
                .putAllParameters(order.bucket().parameters())
                .build();
    }

    /** Objects of {@code cosi.io} have no access modes: the driver's own parameters limit the access. */
    static DriverGrantBucketAccessRequest grant(DriverOrder.Grant order) {
        return DriverGrantBucketAccessRequest.newBuilder()
                .setAccountName(order.account().name())
                .setProtocol(protocol(requiredProtocol(order)))
                .setAuthenticationType(KEY)
                .putAllParameters(order.account().parameters())
                .addBuckets(DriverGrantBucketAccessRequest.AccessedBucket.newBuilder()
                        .setBucketId(order.bucket().id())
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.READ_WRITE)))
                .build();
    }

    static DriverRevokeBucketAccessRequest revoke(DriverOrder.Revoke order) {
        return DriverRevokeBucketAccessRequest.newBuilder()
                .setAccountId(order.account().id())
                .setProtocol(protocol(requiredProtocol(order)))
                .setAuthenticationType(KEY)
                .putAllParameters(order.account().parameters())
                .addBuckets(DriverRevokeBucketAccessRequest.AccessedBucket.newBuilder()
                        .setBucketId(order.bucket().id()))
                .build();
    }

    /** Orders for objects of {@code cosi.io} always name a protocol. */
    static Protocol requiredProtocol(DriverOrder order) {
        return order.protocol()
                .orElseThrow(
                        () -> new IllegalArgumentException("A driver of v1alpha2 needs the protocol of an access."));
    }

    private static ObjectProtocol protocol(Protocol protocol) {
        return ObjectProtocol.newBuilder()
                .setType(
                        switch (protocol) {
                            case S3 -> ObjectProtocol.Type.S3;
                            case AZURE_BLOB -> ObjectProtocol.Type.AZURE;
                            case GCS -> ObjectProtocol.Type.GCS;
                        })
                .build();
    }
}
