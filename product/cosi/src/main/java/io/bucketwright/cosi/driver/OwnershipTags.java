package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.TextDigest;
import java.util.Map;
import java.util.Optional;

/**
 * The owners of a bucket and of its principals, as tagged in the store.
 *
 * @param cluster the id of the cluster
 * @param uid of the bucket's owner; if empty, the name of the bucket decides
 * @param formerCluster the cluster that the caller transfers the bucket from; empty if none
 */
record OwnershipTags(String cluster, Optional<String> uid, Optional<String> formerCluster) {

    static final int ID_BYTES = 16;
    private static final int SUFFIX_BYTES = 4;

    /** By the ids in the parameters of a request; without one, by the name of the driver. */
    static OwnershipTags of(Map<String, String> parameters, String driver) {
        return new OwnershipTags(
                text(parameters, ParameterKeys.CLUSTER).orElseGet(() -> CosiDriver.clusterIdOf(driver)),
                text(parameters, ParameterKeys.OWNER_UID),
                text(parameters, ParameterKeys.FORMER_CLUSTER));
    }

    BucketOwner ofBucket(BucketName bucket) {
        return new BucketOwner(
                cluster, uid.orElseGet(() -> TextDigest.of(bucket.text()).hex(ID_BYTES)));
    }

    /**
     * The owner of the principal of an account. A principal is limited to one bucket, so one account has one for each.
     *
     * @throws io.bucketwright.store.errors.StoreException.Invalid if the account is not a valid id
     */
    BucketOwner ofAccount(String account, BucketName bucket) {
        return new BucketOwner(
                cluster, account + "." + TextDigest.of(bucket.text()).hex(SUFFIX_BYTES));
    }

    private static Optional<String> text(Map<String, String> parameters, String key) {
        return Optional.ofNullable(parameters.get(key)).filter(value -> !value.isEmpty());
    }
}
