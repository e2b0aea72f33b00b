package io.bucketwright.cosi.sidecar;

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
import io.bucketwright.cosi.wire.AnonymousModes;
import io.bucketwright.cosi.wire.Keys;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.store.SecretValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What a driver is asked, in the words of the wire. Keys that begin with {@code cosi.io/} are ours: no class can set one. */
record WireRequests(Supplier<String> cluster) {

    CreateBucketRequest create(Bucket bucket, Map<String, SecretValue> secrets) {
        return CreateBucketRequest.newBuilder()
                .setBucketName(bucket.getSpec().protocol().bucketName())
                .setRequestProtocol(protocol(bucket.getSpec().protocol().protocolSignature()))
                .putAllDriverParameters(parameters(
                        bucket.getSpec().parameters(), bucket.getMetadata().getUid()))
                .setAccessMode(
                        AnonymousModes.parse(bucket.getSpec().anonymousAccess().text())
                                .orElse(AccessMode.MODE_UNSPECIFIED))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    DeleteBucketRequest delete(Bucket bucket, Map<String, SecretValue> secrets) {
        return DeleteBucketRequest.newBuilder()
                .setBucketName(bucket.getSpec().protocol().bucketName())
                .setRequestProtocol(protocol(bucket.getSpec().protocol().protocolSignature()))
                .putAllDriverParameters(parameters(
                        bucket.getSpec().parameters(), bucket.getMetadata().getUid()))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    /**
     * What gives access.
     *
     * @param rotateAt when new credentials were asked for, empty if never
     */
    GrantBucketAccessRequest grant(
            BucketAccess access, BucketInStore bucket, String rotateAt, Map<String, SecretValue> secrets) {
        Map<String, String> permissions = new HashMap<>(permissions(access));
        if (!rotateAt.isEmpty()) {
            permissions.put(Keys.ROTATE_AT, rotateAt);
        }
        return GrantBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol(access.getSpec().protocol()))
                .putAllPermissions(permissions)
                .setProviderContext(context(access, bucket))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    RevokeBucketAccessRequest revoke(BucketAccess access, BucketInStore bucket, Map<String, SecretValue> secrets) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol(access.getSpec().protocol()))
                .putAllPermissions(permissions(access))
                .setProviderContext(context(access, bucket))
                .putAllSecrets(revealed(secrets))
                .build();
    }

    private ProviderContext context(BucketAccess access, BucketInStore bucket) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder()
                        .putAllBucketData(
                                parameters(bucket.parameters(), access.getSpec().bucketUid())))
                .build();
    }

    private Map<String, String> parameters(Map<String, String> ofClass, String bucketUid) {
        Map<String, String> all = withoutReserved(ofClass);
        all.put(Keys.CLUSTER, cluster.get());
        all.put(Keys.BUCKET_UID, bucketUid);
        return all;
    }

    private static Map<String, String> permissions(BucketAccess access) {
        BucketAccessSpec spec = access.getSpec();
        Map<String, String> all = withoutReserved(spec.parameters());
        all.put(Keys.ACCOUNT, CosiNames.accountOf(access.getMetadata().getUid()));
        list(all, Keys.ALLOW, spec.policyActions().allow());
        list(all, Keys.DENY, spec.policyActions().deny());
        if (!spec.serviceAccountName().isEmpty()) {
            all.put(Keys.SERVICE_ACCOUNT, spec.bucketAccessRequestNamespace() + "/" + spec.serviceAccountName());
        }
        return all;
    }

    private static void list(Map<String, String> all, String key, List<String> actions) {
        if (!actions.isEmpty()) {
            all.put(key, String.join(",", actions));
        }
    }

    private static Map<String, String> withoutReserved(Map<String, String> ofClass) {
        Map<String, String> rest = new HashMap<>(ofClass);
        rest.keySet().removeIf(key -> key.startsWith(Keys.RESERVED));
        return rest;
    }

    private static Map<String, String> revealed(Map<String, SecretValue> secrets) {
        Map<String, String> clear = new HashMap<>();
        secrets.forEach((key, value) -> clear.put(key, value.reveal()));
        return clear;
    }

    private static DataProtocol protocol(String word) {
        return Protocols.parse(word).orElse(DataProtocol.PROTOCOL_UNSPECIFIED);
    }
}
