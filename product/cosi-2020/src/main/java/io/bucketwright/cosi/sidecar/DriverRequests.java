package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.sidecar.driver.BackendAccount;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.connection.SecretValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Builds the requests of {@code cosi.v1}. Keys that begin with {@code cosi.io/} are set here only. */
public record DriverRequests(Supplier<String> cluster) {

    public CreateBucketRequest create(DriverOrder.Create order) {
        // A transfer from this cluster to itself changes nothing, and fails if the bucket belongs to another one.
        String formerCluster =
                order.transferCheck() ? cluster.get() : order.bucket().formerCluster();
        return CreateBucketRequest.newBuilder()
                .setBucketName(order.bucket().name())
                .setRequestProtocol(protocol(order))
                .putAllDriverParameters(parameters(order.bucket(), formerCluster))
                .setAccessMode(mode(order.anonymousAccess()))
                .putAllSecrets(revealed(order.secrets()))
                .build();
    }

    public DeleteBucketRequest delete(DriverOrder.Delete order) {
        return DeleteBucketRequest.newBuilder()
                .setBucketName(order.bucket().name())
                .setRequestProtocol(protocol(order))
                .putAllDriverParameters(
                        parameters(order.bucket(), order.bucket().formerCluster()))
                .putAllSecrets(revealed(order.secrets()))
                .build();
    }

    public GrantBucketAccessRequest grant(DriverOrder.Grant order) {
        Map<String, String> permissions = permissions(order.account());
        if (!order.rotateAt().isEmpty()) {
            permissions.put(ParameterKeys.ROTATE_AT, order.rotateAt());
        }
        return GrantBucketAccessRequest.newBuilder()
                .setBucketName(order.bucket().name())
                .setRequestProtocol(protocol(order))
                .putAllPermissions(permissions)
                .setProviderContext(context(order.bucket(), ""))
                .putAllSecrets(revealed(order.secrets()))
                .build();
    }

    public RevokeBucketAccessRequest revoke(DriverOrder.Revoke order) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName(order.bucket().name())
                .setRequestProtocol(protocol(order))
                .putAllPermissions(permissions(order.account()))
                .setProviderContext(context(order.bucket(), order.bucket().formerCluster()))
                .putAllSecrets(revealed(order.secrets()))
                .build();
    }

    private ProviderContext context(BackendBucket bucket, String formerCluster) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(parameters(bucket, formerCluster)))
                .build();
    }

    private Map<String, String> parameters(BackendBucket bucket, String formerCluster) {
        Map<String, String> all = new HashMap<>(bucket.parameters());
        all.put(ParameterKeys.CLUSTER, cluster.get());
        all.put(ParameterKeys.OWNER_UID, bucket.ownerUid());
        if (!formerCluster.isEmpty()) {
            all.put(ParameterKeys.FORMER_CLUSTER, formerCluster);
        }
        return all;
    }

    private static Map<String, String> permissions(BackendAccount account) {
        Map<String, String> all = new HashMap<>(account.parameters());
        all.put(ParameterKeys.ACCOUNT, account.name());
        list(all, ParameterKeys.ALLOW, account.actions().allow());
        list(all, ParameterKeys.DENY, account.actions().deny());
        if (!account.serviceAccount().isEmpty()) {
            all.put(ParameterKeys.SERVICE_ACCOUNT, account.serviceAccount());
        }
        return all;
    }

    private static void list(Map<String, String> all, String key, List<String> actions) {
        if (!actions.isEmpty()) {
            all.put(key, String.join(",", actions));
        }
    }

    private static Map<String, String> revealed(Map<String, SecretValue> secrets) {
        Map<String, String> clear = new HashMap<>();
        secrets.forEach((key, value) -> clear.put(key, value.reveal()));
        return clear;
    }

    private static AccessMode mode(AnonymousAccessMode mode) {
        return switch (mode) {
            case PRIVATE -> AccessMode.MODE_UNSPECIFIED;
            case READ_ONLY -> AccessMode.RO;
            case WRITE_ONLY -> AccessMode.WO;
            case READ_WRITE -> AccessMode.RW;
        };
    }

    private static DataProtocol protocol(DriverOrder order) {
        Protocol protocol = order.protocol()
                .orElseThrow(
                        () -> new IllegalArgumentException("Requests of cosi.v1 need the protocol of the bucket."));
        return switch (protocol) {
            case S3 -> DataProtocol.S3;
            case GCS -> DataProtocol.GCS;
            case AZURE_BLOB -> DataProtocol.AZURE_BLOB;
        };
    }
}
