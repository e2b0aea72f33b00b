package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.cosi.proto.v1alpha2.AccessMode;
import io.bucketwright.cosi.proto.v1alpha2.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetExistingBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocol;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocolAndBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha2.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.IssuedAccess;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.ReadyBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.store.connection.SecretValue;
import io.grpc.Channel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The calls of a driver of v1alpha2 for objects of v1alpha2. */
public final class V1alpha2Calls {

    /** What the schema of the Bucket admits. */
    private static final Pattern BUCKET_ID = Pattern.compile("[a-zA-Z0-9/._-]{1,2048}");

    private final DriverCalls<ProvisionerBlockingStub> calls;

    public V1alpha2Calls(Channel channel, CallSettings settings) {
        this.calls = new DriverCalls<>(ProvisionerGrpc.newBlockingStub(channel), settings, new V1alpha2Errors());
    }

    public DriverAnswer<ReadyBucket> provision(V1alpha2Orders.Provision order, Supplier<Duration> permitted) {
        return order.existingId().isEmpty() ? create(order, permitted) : find(order, permitted);
    }

    private DriverAnswer<ReadyBucket> create(V1alpha2Orders.Provision order, Supplier<Duration> permitted) {
        return calls.call(
                DriverMethod.CREATE_BUCKET,
                permitted,
                DriverCreateBucketRequest.newBuilder()
                        .setName(order.name())
                        .addAllProtocols(protocols(order.protocols()))
                        .putAllParameters(order.parameters())
                        .build(),
                ProvisionerBlockingStub::driverCreateBucket,
                response -> provisioned(order, response.getBucketId(), response.getProtocols()));
    }

    private DriverAnswer<ReadyBucket> find(V1alpha2Orders.Provision order, Supplier<Duration> permitted) {
        return calls.call(
                DriverMethod.CREATE_BUCKET,
                "DriverGetExistingBucket",
                permitted,
                DriverGetExistingBucketRequest.newBuilder()
                        .setExistingBucketId(order.existingId())
                        .addAllProtocols(protocols(order.protocols()))
                        .putAllParameters(order.parameters())
                        .build(),
                ProvisionerBlockingStub::driverGetExistingBucket,
                response -> provisioned(order, order.existingId(), response.getProtocols()));
    }

    public DriverAnswer<EmptyAnswer> delete(V1alpha2Orders.Deletion order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.DELETE_BUCKET,
                permitted,
                DriverDeleteBucketRequest.newBuilder()
                        .setBucketId(order.bucketId())
                        .putAllParameters(order.parameters())
                        .build(),
                ProvisionerBlockingStub::driverDeleteBucket);
    }

    public DriverAnswer<IssuedAccess> grant(V1alpha2Orders.Access order, Supplier<Duration> permitted) {
        DriverGrantBucketAccessRequest.Builder request = DriverGrantBucketAccessRequest.newBuilder()
                .setAccountName(order.account())
                .setProtocol(protocol(order.protocol()))
                .setAuthenticationType(authentication(order.authenticationType()))
                .setServiceAccountName(order.serviceAccount())
                .putAllParameters(order.parameters());
        order.modes()
                .forEach((bucket, mode) -> request.addBuckets(DriverGrantBucketAccessRequest.AccessedBucket.newBuilder()
                        .setBucketId(bucket)
                        .setAccessMode(mode(mode))));
        return calls.call(
                DriverMethod.GRANT_ACCESS,
                permitted,
                request.build(),
                ProvisionerBlockingStub::driverGrantBucketAccess,
                response -> issued(order, response));
    }

    public DriverAnswer<EmptyAnswer> revoke(V1alpha2Orders.Access order, Supplier<Duration> permitted) {
        DriverRevokeBucketAccessRequest.Builder request = DriverRevokeBucketAccessRequest.newBuilder()
                .setAccountId(order.account())
                .setProtocol(protocol(order.protocol()))
                .setAuthenticationType(authentication(order.authenticationType()))
                .setServiceAccountName(order.serviceAccount())
                .putAllParameters(order.parameters());
        order.modes()
                .keySet()
                .forEach(bucket -> request.addBuckets(DriverRevokeBucketAccessRequest.AccessedBucket.newBuilder()
                        .setBucketId(bucket)));
        return calls.remove(
                DriverMethod.REVOKE_ACCESS,
                permitted,
                request.build(),
                ProvisionerBlockingStub::driverRevokeBucketAccess);
    }

    private static DriverAnswer<ReadyBucket> provisioned(
            V1alpha2Orders.Provision order, String id, ObjectProtocolAndBucketInfo info) {
        if (!BUCKET_ID.matcher(id).matches()) {
            return invalid(
                    "a bucket_id that is empty, longer than 2048 characters, or has other characters than letters,"
                            + " digits and / . _ -");
        }
        List<String> protocols = V1alpha2Keys.protocols(info);
        return protocols.isEmpty() || !protocols.containsAll(order.protocols())
                ? invalid("the protocols " + protocols + ", and " + order.protocols() + " are requested")
                : new DriverAnswer.Done<>(new ReadyBucket(id, protocols, V1alpha2Keys.bucket(info)));
    }

    private static DriverAnswer<IssuedAccess> issued(
            V1alpha2Orders.Access order, DriverGrantBucketAccessResponse response) {
        if (response.getAccountId().isEmpty()) {
            return invalid("no account_id");
        }
        Map<String, Map<String, String>> info = new LinkedHashMap<>();
        response.getBucketsList()
                .forEach(bucket -> info.put(bucket.getBucketId(), V1alpha2Keys.bucket(bucket.getBucketInfo())));
        if (!info.keySet().equals(order.modes().keySet())) {
            return invalid("information about other buckets than the requested ones");
        }
        Map<String, SecretValue> credentials = V1alpha2Keys.credentials(order.protocol(), response.getCredentials());
        boolean required = !order.authenticationType().equals("ServiceAccount");
        return credentials.isEmpty() && required
                ? invalid("no credentials of the protocol " + order.protocol())
                : new DriverAnswer.Done<>(new IssuedAccess(response.getAccountId(), info, credentials));
    }

    private static <T> DriverAnswer<T> invalid(String what) {
        return DriverAnswer.invalidResponse("The driver returned " + what + ". Fix the driver; the sidecar retries.");
    }

    private static List<ObjectProtocol> protocols(List<String> texts) {
        return texts.stream().map(V1alpha2Calls::protocol).toList();
    }

    private static ObjectProtocol protocol(String text) {
        return ObjectProtocol.newBuilder()
                .setType(
                        switch (text) {
                            case "S3" -> ObjectProtocol.Type.S3;
                            case "Azure" -> ObjectProtocol.Type.AZURE;
                            case "GCS" -> ObjectProtocol.Type.GCS;
                            default -> ObjectProtocol.Type.UNKNOWN;
                        })
                .build();
    }

    private static AuthenticationType authentication(String text) {
        return AuthenticationType.newBuilder()
                .setType(
                        switch (text) {
                            case "Key" -> AuthenticationType.Type.KEY;
                            case "ServiceAccount" -> AuthenticationType.Type.SERVICE_ACCOUNT;
                            default -> AuthenticationType.Type.UNKNOWN;
                        })
                .build();
    }

    private static AccessMode mode(String text) {
        return AccessMode.newBuilder()
                .setMode(
                        switch (text) {
                            case "ReadWrite" -> AccessMode.Mode.READ_WRITE;
                            case "ReadOnly" -> AccessMode.Mode.READ_ONLY;
                            case "WriteOnly" -> AccessMode.Mode.WRITE_ONLY;
                            default -> AccessMode.Mode.UNKNOWN;
                        })
                .build();
    }
}
