package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.IdentityBlockingStub;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.errors.InputText;
import io.grpc.Channel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The released protocol. The driver issues ids for buckets and accounts, so the dialect remembers them by the names in the
 * requests. If the driver issued no id for a name, the name itself is sent as the id.
 */
final class ReleasedDialect implements SanityDialect {

    /** The key of the id of an access key, as the protocol spells it. */
    public static final String ACCESS_KEY_ID = "accessKeyID";

    private final IdentityBlockingStub identity;
    private final ProvisionerBlockingStub provisioner;
    private final Duration timeout;
    private final Map<String, String> buckets = new ConcurrentHashMap<>();
    private final Map<String, String> accounts = new ConcurrentHashMap<>();

    public ReleasedDialect(Channel channel, Duration timeout) {
        this.identity = IdentityGrpc.newBlockingStub(channel);
        this.provisioner = ProvisionerGrpc.newBlockingStub(channel);
        this.timeout = timeout;
    }

    @Override
    public String name() {
        return "cosi.v1alpha1";
    }

    @Override
    public Set<CheckNeed> provides() {
        return EnumSet.of(CheckNeed.RELEASED);
    }

    @Override
    public DriverIdentity info(boolean waitForReady) {
        IdentityBlockingStub stub = identity.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return new DriverIdentity(
                (waitForReady ? stub.withWaitForReady() : stub)
                        .driverGetInfo(DriverGetInfoRequest.getDefaultInstance())
                        .getName(),
                DataProtocol.PROTOCOL_UNSPECIFIED);
    }

    @Override
    public RpcResult<CreatedTestBucket> create(CreateBucketRequest request) {
        return RpcResult.ofAnyCode(Operation.CREATE, () -> {
            DriverCreateBucketResponse response = driver().driverCreateBucket(DriverCreateBucketRequest.newBuilder()
                    .setName(request.getBucketName())
                    .putAllParameters(withoutReserved(request.getDriverParametersMap()))
                    .build());
            String id = response.getBucketId();
            if (!id.isEmpty()) {
                buckets.put(request.getBucketName(), id);
            }
            return new CreatedTestBucket(
                    () -> id.isEmpty() ? "The response contains no bucket_id." : "", Map.of(), response);
        });
    }

    @Override
    public RpcResult<NoContent> delete(DeleteBucketRequest request) {
        return RpcResult.ofAnyCode(Operation.DELETE, () -> {
            DriverDeleteBucketResponse _ = driver().driverDeleteBucket(DriverDeleteBucketRequest.newBuilder()
                    .setBucketId(bucketId(request.getBucketName()))
                    .putAllDeleteContext(withoutReserved(request.getDriverParametersMap()))
                    .build());
            return new NoContent();
        });
    }

    @Override
    public RpcResult<GrantAnswer> grant(GrantBucketAccessRequest request) {
        Map<String, String> permissions = request.getPermissionsMap();
        String account = permissions.getOrDefault(ParameterKeys.ACCOUNT, "");
        return RpcResult.ofAnyCode(Operation.GRANT, () -> {
            DriverGrantBucketAccessResponse response = driver().driverGrantBucketAccess(
                            DriverGrantBucketAccessRequest.newBuilder()
                                    .setBucketId(bucketId(request.getBucketName()))
                                    .setName(account)
                                    .setAuthenticationType(
                                            permissions.containsKey(ParameterKeys.SERVICE_ACCOUNT)
                                                    ? AuthenticationType.IAM
                                                    : AuthenticationType.Key)
                                    .putAllParameters(withoutReserved(permissions))
                                    .build());
            if (!response.getAccountId().isEmpty()) {
                accounts.put(account, response.getAccountId());
            }
            return () -> credentials(request, response);
        });
    }

    @Override
    public RpcResult<RevokeAnswer> revoke(RevokeBucketAccessRequest request) {
        String account = request.getPermissionsMap().getOrDefault(ParameterKeys.ACCOUNT, "");
        return RpcResult.ofAnyCode(Operation.REVOKE, () -> {
            DriverRevokeBucketAccessResponse _ = driver().driverRevokeBucketAccess(
                            DriverRevokeBucketAccessRequest.newBuilder()
                                    .setBucketId(bucketId(request.getBucketName()))
                                    .setAccountId(accounts.getOrDefault(account, account))
                                    .putAllRevokeAccessContext(withoutReserved(request.getPermissionsMap()))
                                    .build());
            return new RevokeAnswer(0);
        });
    }

    /** Under the keys of connection data, as an application would get them. */
    private static GrantedCredentials credentials(
            GrantBucketAccessRequest request, DriverGrantBucketAccessResponse response) {
        CheckFailed.require(!response.getAccountId().isEmpty(), "The response contains no account_id.");
        CheckFailed.require(
                response.getCredentialsCount() == 1,
                "credentials must contain one entry, not " + response.getCredentialsCount() + ".");
        String kind = response.getCredentialsMap().keySet().iterator().next();
        Map<String, String> secrets =
                response.getCredentialsMap().values().iterator().next().getSecretsMap();
        Map<String, String> parameters =
                request.getProviderContext().getGenericContext().getBucketDataMap();
        Map<String, String> values = new HashMap<>();
        values.put("BUCKET_NAME", request.getBucketName());
        return switch (kind) {
            case "s3" -> {
                // One check tests the spelling of this key. All other checks accept both spellings.
                values.put(
                        "AWS_ACCESS_KEY_ID",
                        secrets.containsKey("accessKeyId")
                                ? text(secrets, "accessKeyId")
                                : text(secrets, ACCESS_KEY_ID));
                values.put(ACCESS_KEY_ID, secrets.getOrDefault(ACCESS_KEY_ID, ""));
                values.put("AWS_SECRET_ACCESS_KEY", text(secrets, "accessSecretKey"));
                values.put("BUCKET_ENDPOINT", secrets.getOrDefault("endpoint", ""));
                values.put("BUCKET_REGION", secrets.getOrDefault("region", ""));
                yield GrantedCredentials.of(DataProtocol.S3, values);
            }
            case "azure" -> {
                azure(values, text(secrets, "accessToken"));
                values.put("AZURE_STORAGE_ACCOUNT", parameters.getOrDefault(ParameterKeys.STORAGE_ACCOUNT, ""));
                yield GrantedCredentials.of(DataProtocol.AZURE_BLOB, values);
            }
            default ->
                throw new CheckFailed(
                        "The key of credentials is " + InputText.quote(kind) + ", it must be s3 or azure.");
        };
    }

    /** The URL of the container with the token, or only the token. */
    private static void azure(Map<String, String> values, String token) {
        int query = token.indexOf('?');
        int container = token.lastIndexOf('/', Math.max(query, 0));
        if (query > 0 && container > 0) {
            values.put("AZURE_STORAGE_SERVICE_ENDPOINT", token.substring(0, container));
            values.put("BUCKET_NAME", token.substring(container + 1, query));
        }
        values.put("AZURE_STORAGE_SAS_TOKEN", token.substring(query + 1));
    }

    private static String text(Map<String, String> secrets, String key) {
        String value = secrets.getOrDefault(key, "");
        CheckFailed.require(
                !value.isEmpty(), "The credentials have no " + key + "; they have " + secrets.keySet() + ".");
        return value;
    }

    private String bucketId(String name) {
        return buckets.getOrDefault(name, name);
    }

    private static Map<String, String> withoutReserved(Map<String, String> parameters) {
        Map<String, String> sent = new HashMap<>(parameters);
        sent.keySet().removeIf(key -> key.startsWith(ParameterKeys.RESERVED));
        return sent;
    }

    private ProvisionerBlockingStub driver() {
        return provisioner.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
