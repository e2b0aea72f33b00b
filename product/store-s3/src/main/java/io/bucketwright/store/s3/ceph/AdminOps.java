package io.bucketwright.store.s3.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.http.SdkHttpMethod;

/** The requests of the admin ops API: users, their keys, and the owners and quotas of buckets. */
record AdminOps(AdminClient admin) implements AutoCloseable {

    private static final String USER = "/admin/user";
    private static final String BUCKET = "/admin/bucket";

    /** A user, if it exists. */
    Optional<CephUser> findUser(StoreCall call, String uid) {
        return Absence.toEmpty(() -> CephUser.read(admin.json(
                call, "read the user " + uid, request(SdkHttpMethod.GET, USER).with("uid", uid))));
    }

    /** Whether the response to a request for a user that does not exist is the one of this API. */
    boolean isServed(StoreCall call, String uid) {
        try {
            byte[] _ = admin.send(
                    call,
                    "read the user " + uid,
                    request(SdkHttpMethod.GET, USER).with("uid", uid));
            return false;
        } catch (NotFound absent) {
            return StoreRequest.code(absent).equals("NoSuchUser");
        }
    }

    /**
     * Creates a user.
     *
     * @param maxBuckets how many buckets it may own; -1 for none
     * @param withKey whether it gets an access key
     * @throws Taken if it exists
     */
    CephUser createUser(StoreCall call, String uid, String displayName, int maxBuckets, boolean withKey) {
        return CephUser.read(admin.json(
                call,
                "create the user " + uid,
                request(SdkHttpMethod.PUT, USER)
                        .with("uid", uid)
                        .with("display-name", displayName)
                        .with("max-buckets", Integer.toString(maxBuckets))
                        .with("generate-key", Boolean.toString(withKey))));
    }

    void setSuspended(StoreCall call, String uid, boolean suspended) {
        byte[] _ = admin.send(
                call,
                (suspended ? "suspend" : "enable") + " the user " + uid,
                request(SdkHttpMethod.POST, USER).with("uid", uid).with("suspended", Boolean.toString(suspended)));
    }

    /**
     * Deletes a user with its keys. Succeeds if it does not exist.
     *
     * @throws Taken if it owns a bucket
     */
    void deleteUser(StoreCall call, String uid) {
        Absence.ignore(() -> admin.send(
                call,
                "delete the user " + uid,
                request(SdkHttpMethod.DELETE, USER).with("uid", uid)));
    }

    /** Adds a key. The id is chosen here, the secret by the gateway: what is in a request is also in its log. */
    Credentials.AccessKey addKey(StoreCall call, String uid, String keyId) {
        String action = "create an access key for " + uid;
        JsonNode keys = admin.json(
                call,
                action,
                request(SdkHttpMethod.PUT, USER)
                        .with("key", "")
                        .with("uid", uid)
                        .with("key-type", "s3")
                        .with("access-key", keyId)
                        .with("generate-key", "true"));
        return CephUser.keys(uid, keys).stream()
                .filter(key -> key.id().equals(keyId))
                .findFirst()
                .orElseThrow(() -> StoreRequest.emptyResponse(action));
    }

    /** Deletes a key. Succeeds if it does not exist, for which the gateway responds as for a wrong administrator's key. */
    void deleteKey(StoreCall call, String uid, String keyId) {
        try {
            byte[] _ = admin.send(
                    call,
                    "delete a key of " + uid,
                    request(SdkHttpMethod.DELETE, USER)
                            .with("key", "")
                            .with("uid", uid)
                            .with("key-type", "s3")
                            .with("access-key", keyId));
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        } catch (Denied unknownKey) {
            if (findUser(call, uid).stream()
                    .flatMap(user -> user.keys().stream())
                    .anyMatch(key -> key.id().equals(keyId))) {
                throw unknownKey;
            }
        }
    }

    /** The names of all buckets, in order. */
    List<String> bucketNames(StoreCall call) {
        String action = "list the buckets";
        JsonNode names = admin.json(call, action, request(SdkHttpMethod.GET, BUCKET));
        return StoreRequest.list(action, names.isArray(), names.valueStream().toList()).stream()
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .sorted()
                .toList();
    }

    /** The user that owns a bucket, if the bucket exists. */
    Optional<String> bucketOwner(StoreCall call, BucketName bucket) {
        String action = "read the owner of the bucket " + bucket;
        return Absence.toEmpty(() -> admin.json(
                        call, action, request(SdkHttpMethod.GET, BUCKET).with("bucket", bucket.text())))
                .map(found -> Optional.of(found.path("owner").asText(""))
                        .filter(Predicate.not(String::isEmpty))
                        .orElseThrow(() -> StoreRequest.emptyResponse(action)));
    }

    /**
     * The statistics of a bucket: all versions of its objects, without unfinished uploads.
     *
     * @throws NotFound if the bucket does not exist
     */
    Usage usage(StoreCall call, BucketName bucket) {
        JsonNode stats = admin.json(
                call,
                "read the usage of the bucket " + bucket,
                request(SdkHttpMethod.GET, BUCKET).with("bucket", bucket.text()).with("stats", "true"));
        return new Usage(ofObjects(stats, "size"), ofObjects(stats, "num_objects"), true);
    }

    /** A number that is missing as long as nothing was written. */
    private static long ofObjects(JsonNode stats, String field) {
        return stats.path("usage").path("rgw.main").path(field).asLong();
    }

    /** Sets the quota of a bucket. The gateway counts in kibibytes. */
    void setQuota(StoreCall call, BucketName bucket, String owner, Quota quota) {
        long kibibytes = quota.maxBytes() == Quota.UNLIMITED ? Quota.UNLIMITED : Math.max(1, quota.maxBytes() >> 10);
        quota(
                call,
                "set the quota of " + bucket,
                bucket,
                owner,
                List.of(Boolean.toString(true), Long.toString(kibibytes), Long.toString(quota.maxObjects())));
    }

    void clearQuota(StoreCall call, BucketName bucket, String owner) {
        quota(call, "remove the quota of " + bucket, bucket, owner, List.of(Boolean.toString(false), "-1", "-1"));
    }

    private void quota(StoreCall call, String action, BucketName bucket, String owner, List<String> values) {
        byte[] _ = admin.send(
                call,
                action,
                request(SdkHttpMethod.PUT, BUCKET)
                        .with("quota", "")
                        .with("uid", owner)
                        .with("bucket", bucket.text())
                        .with("enabled", values.get(0))
                        .with("max-size-kb", values.get(1))
                        .with("max-objects", values.get(2)));
    }

    @Override
    public void close() {
        admin.close();
    }

    private static AdminRequest request(SdkHttpMethod method, String path) {
        return AdminRequest.of(method, path).with("format", "json");
    }
}
