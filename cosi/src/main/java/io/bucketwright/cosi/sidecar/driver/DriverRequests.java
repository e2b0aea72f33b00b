package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.wire.AnonymousAccessModes;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.SecretValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Builds the requests to the driver. Keys that begin with {@code cosi.io/} are reserved: parameters of a class cannot set
 * them.
 */
public record DriverRequests(Supplier<String> cluster) {

    public CreateBucketRequest create(Bucket bucket, Map<String, SecretValue> secrets) {
        return CreateBucketRequest.newBuilder()
                .setBucketName(bucket.getSpec().protocol().bucketName())
                .setRequestProtocol(protocol(bucket))
                .putAllDriverParameters(parameters(bucket))
                .setAccessMode(AnonymousAccessModes.parse(
                                bucket.getSpec().anonymousAccess().text())
                        .orElse(AccessMode.MODE_UNSPECIFIED))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    public DeleteBucketRequest delete(Bucket bucket, Map<String, SecretValue> secrets) {
        return DeleteBucketRequest.newBuilder()
                .setBucketName(bucket.getSpec().protocol().bucketName())
                .setRequestProtocol(protocol(bucket))
                .putAllDriverParameters(parameters(bucket))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    /**
     * Builds a GrantBucketAccess request.
     *
     * @param account one of the two of the access
     * @param rotateAt when new credentials were requested, empty if never
     */
    public GrantBucketAccessRequest grant(
            BucketAccess access,
            BackendBucket bucket,
            String account,
            String rotateAt,
            Map<String, SecretValue> secrets) {
        Map<String, String> permissions = new HashMap<>(permissions(access, account));
        if (!rotateAt.isEmpty()) {
            permissions.put(ParameterKeys.ROTATE_AT, rotateAt);
        }
        return GrantBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol(access))
                .putAllPermissions(permissions)
                .setProviderContext(context(bucket, ""))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    public RevokeBucketAccessRequest revoke(
            BucketAccess access, BackendBucket bucket, String account, Map<String, SecretValue> secrets) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol(access))
                .putAllPermissions(permissions(access, account))
                .setProviderContext(context(bucket, bucket.formerCluster()))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    /** The protocol of the Bucket; unspecified if it is not a known one. */
    public static DataProtocol protocol(Bucket bucket) {
        return protocol(bucket.getSpec().protocol().protocolSignature());
    }

    /** The protocol of the BucketAccess; unspecified if it is not a known one. */
    public static DataProtocol protocol(BucketAccess access) {
        return protocol(access.getSpec().protocol());
    }

    private ProviderContext context(BackendBucket bucket, String formerCluster) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(parameters(bucket, formerCluster)))
                .build();
    }

    /**
     * The former cluster is sent only while an administrator requests the transfer: the driver takes the bucket from that
     * cluster. Later the bucket may have been transferred back, and then a deletion here must not delete it.
     */
    private Map<String, String> parameters(Bucket bucket) {
        return parameters(BackendBucket.of(bucket), Metadata.annotation(bucket, CosiNames.TRANSFER_FROM));
    }

    private Map<String, String> parameters(BackendBucket bucket, String formerCluster) {
        Map<String, String> all = withoutReserved(bucket.parameters());
        all.put(ParameterKeys.CLUSTER, cluster.get());
        all.put(ParameterKeys.OWNER_UID, bucket.ownerUid());
        if (!formerCluster.isEmpty()) {
            all.put(ParameterKeys.FORMER_CLUSTER, formerCluster);
        }
        return all;
    }

    private static Map<String, String> permissions(BucketAccess access, String account) {
        BucketAccessSpec spec = access.getSpec();
        Map<String, String> all = withoutReserved(spec.parameters());
        all.put(ParameterKeys.ACCOUNT, account);
        list(all, ParameterKeys.ALLOW, spec.policyActions().allow());
        list(all, ParameterKeys.DENY, spec.policyActions().deny());
        if (!spec.serviceAccountName().isEmpty()) {
            all.put(
                    ParameterKeys.SERVICE_ACCOUNT,
                    spec.bucketAccessRequestNamespace() + "/" + spec.serviceAccountName());
        }
        return all;
    }

    private static void list(Map<String, String> all, String key, List<String> actions) {
        if (!actions.isEmpty()) {
            all.put(key, String.join(",", actions));
        }
    }

    private static Map<String, String> withoutReserved(Map<String, String> classParameters) {
        Map<String, String> rest = new HashMap<>(classParameters);
        rest.keySet().removeIf(key -> key.startsWith(ParameterKeys.RESERVED));
        return rest;
    }

    private static Map<String, String> revealed(Map<String, SecretValue> secrets) {
        Map<String, String> clear = new HashMap<>();
        secrets.forEach((key, value) -> clear.put(key, value.reveal()));
        return clear;
    }

    private static DataProtocol protocol(String name) {
        return Protocols.parse(name).orElse(DataProtocol.PROTOCOL_UNSPECIFIED);
    }
}
