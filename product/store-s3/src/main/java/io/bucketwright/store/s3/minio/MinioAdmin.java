package io.bucketwright.store.s3.minio;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.StoreRequest;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.http.SdkHttpMethod;

/**
 * The requests to the admin API of MinIO. None of them needs the body of a response that MinIO encrypts: it does that with
 * Argon2, which takes 64 MiB of memory for each response.
 */
record MinioAdmin(AdminClient client, SecureRandom random) implements AutoCloseable {

    private static final String API = "/minio/admin/v3/";
    private static final String SECRET_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int SECRET_LENGTH = 40;

    /**
     * The user; empty if it does not exist.
     *
     * @throws Unsupported if the response is the one of another store
     */
    Optional<MinioUser> user(StoreCall call, String name) {
        String action = "read the user " + name;
        JsonNode user;
        try {
            user = object(call, action, request(SdkHttpMethod.GET, "user-info").with("accessKey", name));
        } catch (NotFound e) {
            // For another store this is the request for an object in a bucket that does not exist.
            if (!StoreRequest.code(e).equals("XMinioAdminNoSuchUser")) {
                throw new Unsupported(e.getMessage() + " The endpoint does not serve the admin API of MinIO.", e);
            }
            return Optional.empty();
        }
        return Optional.of(new MinioUser(
                !user.path("status").asText("").equals("disabled"),
                Stream.of(user.path("policyName").asText("").split(","))
                        .filter(policy -> !policy.isBlank())
                        .collect(Collectors.toSet()),
                user.path("memberOf").valueStream().map(JsonNode::asText).collect(Collectors.toSet())));
    }

    /** Creates a user with a secret that nobody gets, or replaces its secret. */
    void putUser(StoreCall call, String name) {
        send(
                call,
                "create the user " + name,
                request(SdkHttpMethod.PUT, "add-user")
                        .with("accessKey", name)
                        .withBody(
                                encrypted("{\"secretKey\":\"" + newSecret().reveal() + "\",\"status\":\"enabled\"}")));
    }

    /** Deletes the user and its service accounts, if it exists. */
    void removeUser(StoreCall call, String name) {
        Absence.ignore(() -> send(
                call,
                "delete the user " + name,
                request(SdkHttpMethod.DELETE, "remove-user").with("accessKey", name)));
    }

    void setEnabled(StoreCall call, String name, boolean enabled) {
        send(
                call,
                (enabled ? "enable" : "disable") + " the user " + name,
                request(SdkHttpMethod.PUT, "set-user-status")
                        .with("accessKey", name)
                        .with("status", enabled ? "enabled" : "disabled"));
    }

    void putPolicy(StoreCall call, String name, String document) {
        send(
                call,
                "set the policy " + name,
                request(SdkHttpMethod.PUT, "add-canned-policy")
                        .with("name", name)
                        .withBody(document.getBytes(StandardCharsets.UTF_8)));
    }

    /** Replaces all policies of the user by this one. */
    void attachPolicy(StoreCall call, String user, String policy) {
        send(
                call,
                "attach the policy " + policy + " to the user " + user,
                request(SdkHttpMethod.PUT, "set-user-or-group-policy")
                        .with("policyName", policy)
                        .with("userOrGroup", user)
                        .with("isGroup", "false"));
    }

    /** A policy; empty if it does not exist. */
    Optional<JsonNode> policy(StoreCall call, String name) {
        String action = "read the policy " + name;
        return Absence.toEmpty(() -> object(
                call, action, request(SdkHttpMethod.GET, "info-canned-policy").with("name", name)));
    }

    /** Deletes the policy if it exists. */
    void removePolicy(StoreCall call, String name) {
        Absence.ignore(() -> send(
                call,
                "delete the policy " + name,
                request(SdkHttpMethod.DELETE, "remove-canned-policy").with("name", name)));
    }

    /** Creates a service account of a user, with the policy of the user and no other. */
    Credentials.AccessKey addServiceAccount(StoreCall call, String user, String id) {
        SecretValue secret = newSecret();
        send(
                call,
                "create an access key for " + user,
                request(SdkHttpMethod.PUT, "add-service-account")
                        .withBody(encrypted("{\"targetUser\":\"" + user + "\",\"accessKey\":\"" + id
                                + "\",\"secretKey\":\"" + secret.reveal() + "\"}")));
        return new Credentials.AccessKey(id, secret);
    }

    /**
     * Deletes the service account if it exists.
     *
     * @throws Unavailable if the administrator lacks the permission: MinIO then responds as if it did not exist
     */
    void removeServiceAccount(StoreCall call, String user, String id) {
        try {
            send(
                    call,
                    "delete a key of " + user,
                    request(SdkHttpMethod.DELETE, "delete-service-account").with("accessKey", id));
        } catch (NotFound absentOrDenied) {
            if (serviceAccountExists(call, user, id)) {
                throw new Unavailable("Could not delete a key of " + user
                        + ": it still exists. Either another process created it at the same time, or the administrator's"
                        + " key lacks the permission admin:RemoveServiceAccount.");
            }
        }
    }

    /** Whether it exists: MinIO looks for the service account before it checks permissions. */
    boolean serviceAccountExists(StoreCall call, String user, String id) {
        try {
            send(
                    call,
                    "read a key of " + user,
                    request(SdkHttpMethod.GET, "info-service-account").with("accessKey", id));
            return true;
        } catch (NotFound none) {
            return false;
        } catch (Denied exists) {
            return true;
        }
    }

    /**
     * Sets the quota of a bucket.
     *
     * @param bytes 0 for no quota
     */
    void setQuota(StoreCall call, BucketName bucket, long bytes) {
        // The name of the field was changed in 2023.
        String body = "{\"quota\":" + bytes + ",\"size\":" + bytes + ",\"quotatype\":\"hard\"}";
        send(
                call,
                "set the quota of " + bucket,
                request(SdkHttpMethod.PUT, "set-bucket-quota")
                        .with("bucket", bucket.text())
                        .withBody(body.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * What the scanner of MinIO counted in its last cycle, some minutes ago: objects, and the size of all their versions.
     * Empty if it has not seen the bucket, the administrator lacks the permission admin:DataUsageInfo, or MinIO has too many
     * buckets: it returns all of them.
     */
    Optional<Usage> measuredUsage(StoreCall call, BucketName bucket) {
        String action = "read the usage of the bucket " + bucket;
        JsonNode measured;
        try {
            measured = object(call, action, request(SdkHttpMethod.GET, "datausageinfo"));
        } catch (Denied notAllowed) {
            return Optional.empty();
        } catch (Unavailable e) {
            if (e.getCause() instanceof AdminClient.ResponseTooLongException) {
                return Optional.empty();
            }
            throw e;
        }
        return measured.path("bucketsUsageInfo")
                .optional(bucket.text())
                .map(usage -> new Usage(
                        usage.path("size").asLong(), usage.path("objectsCount").asLong(), true));
    }

    @Override
    public void close() {
        client.close();
    }

    private void send(StoreCall call, String action, AdminRequest request) {
        byte[] _ = client.send(call, action, request);
    }

    private JsonNode object(StoreCall call, String action, AdminRequest request) {
        JsonNode response = client.json(call, action, request);
        if (!response.isObject()) {
            throw StoreRequest.emptyResponse(action);
        }
        return response;
    }

    private static AdminRequest request(SdkHttpMethod method, String name) {
        return AdminRequest.of(method, API + name);
    }

    private byte[] encrypted(String json) {
        return new EncryptedBody(client.secret(), random).encrypt(json);
    }

    private SecretValue newSecret() {
        return SecretValue.of(random.ints(SECRET_LENGTH, 0, SECRET_ALPHABET.length())
                .mapToObj(SECRET_ALPHABET::charAt)
                .map(String::valueOf)
                .collect(Collectors.joining()));
    }
}
