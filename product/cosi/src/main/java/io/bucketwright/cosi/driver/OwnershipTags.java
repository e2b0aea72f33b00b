package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The owners of buckets and principals, as tagged in the store. The owner of a bucket is given by the ids in the
 * request. Without ids the name decides: then every caller of this driver who knows the name is the owner.
 */
record OwnershipTags(String driver) {

    private static final int ID_BYTES = 16;
    private static final int SUFFIX_BYTES = 4;

    /**
     * The owner of a bucket.
     *
     * @throws Invalid if only one of the two ids is given, or one is not valid
     */
    BucketOwner ofBucket(BucketName bucket, Map<String, String> reserved) {
        Optional<String> cluster = text(reserved, ParameterKeys.CLUSTER);
        Optional<String> uid = text(reserved, ParameterKeys.OWNER_UID);
        if (cluster.isPresent() != uid.isPresent()) {
            throw new Invalid("parameters " + ParameterKeys.CLUSTER + " and " + ParameterKeys.OWNER_UID
                    + " identify the owner of the bucket; give both or neither");
        }
        return new BucketOwner(cluster(reserved), uid.orElseGet(() -> digest(bucket.text(), ID_BYTES)));
    }

    /** The owner of a bucket, if the request names it: that of a Bucket which was deleted by force is unknown. */
    Optional<BucketOwner> ofKnownBucket(BucketName bucket, Map<String, String> reserved) {
        return text(reserved, ParameterKeys.OWNER_UID).map(_ -> ofBucket(bucket, reserved));
    }

    /** The cluster that owned the bucket before an administrator transferred it. */
    Optional<String> formerCluster(Map<String, String> reserved) {
        return text(reserved, ParameterKeys.FORMER_CLUSTER);
    }

    /**
     * The owner of the principal of an account. A principal is limited to one bucket, so one account has one for each.
     *
     * @throws Invalid if the account is not a valid id
     */
    BucketOwner ofAccount(String account, BucketName bucket, Map<String, String> reserved) {
        return new BucketOwner(cluster(reserved), account + "." + digest(bucket.text(), SUFFIX_BYTES));
    }

    private String cluster(Map<String, String> reserved) {
        return text(reserved, ParameterKeys.CLUSTER).orElseGet(() -> digest(driver, ID_BYTES));
    }

    private static Optional<String> text(Map<String, String> reserved, String key) {
        return Optional.ofNullable(reserved.get(key)).filter(value -> !value.isEmpty());
    }

    private static String digest(String text, int bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
