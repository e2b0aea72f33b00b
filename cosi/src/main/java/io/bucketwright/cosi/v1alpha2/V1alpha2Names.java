package io.bucketwright.cosi.v1alpha2;

/** Names on objects of {@code objectstorage.k8s.io/v1alpha2}. An annotation counts if it is present, whatever its value. */
public final class V1alpha2Names {

    public static final String VERSION = "v1alpha2";

    /** On BucketClaims, Buckets, BucketAccesses and their Secrets. */
    public static final String FINALIZER = "objectstorage.k8s.io/protection";

    /** On a BucketClaim, by the controller, while a BucketAccess names it. */
    public static final String ACCESS_REFERENCES = "objectstorage.k8s.io/has-bucketaccess-references";

    /** On a BucketAccess that is being deleted, by the sidecar, when the access is revoked. */
    public static final String CLEANUP_FINISHED = "objectstorage.k8s.io/sidecar-cleanup-finished";

    /** On a BucketAccess, by the controller of somebody else: the sidecar does nothing. */
    public static final String CONTROLLER_OVERRIDE = "objectstorage.k8s.io/controller-management-override";

    /** On a Bucket, by the controller, when its claim is being deleted. The missing letter is upstream's. */
    public static final String CLAIM_BEING_DELETED = "objectstorage.k8.io/bucketclaim-being-deleted";

    public static final String DELETE = "Delete";

    public static final String MULTIPLE_BUCKETS = "MultipleBuckets";

    public static final String SERVICE_ACCOUNT = "ServiceAccount";

    private V1alpha2Names() {}

    /** The name of the Bucket for a claim. */
    public static String bucketOf(String claimUid) {
        return "bc-" + claimUid;
    }

    /** The account of a BucketAccess. */
    public static String accountOf(String accessUid) {
        return "ba-" + accessUid;
    }
}
