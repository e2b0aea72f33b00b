package io.bucketwright.api.objectstorage;

import java.util.Locale;

/** Names that controllers, sidecars, drivers and people's scripts find on objects of {@code objectstorage.k8s.io}. */
public final class ReleasedNames {
    public static final String GROUP = "objectstorage.k8s.io";
    public static final String VERSION = "v1alpha1";

    /** The API server rejects definitions of a group of Kubernetes without this annotation. */
    public static final String APPROVED = "api-approved.kubernetes.io";

    /** Its value, as released. */
    public static final String APPROVAL =
            "https://github.com/kubernetes/enhancements/tree/master/keps/sig-storage/1979-object-storage-support";

    /** On a BucketClaim. The controller adds it, the sidecar removes it. */
    public static final String CLAIM_FINALIZER = "cosi.objectstorage.k8s.io/bucketclaim-protection";

    /** On a Bucket, by the sidecar. */
    public static final String BUCKET_FINALIZER = "cosi.objectstorage.k8s.io/bucket-protection";

    /** On a Bucket with accesses, by the sidecar; it may stay when they are deleted. */
    public static final String ACCESSED_BUCKET_FINALIZER = "cosi.objectstorage.k8s.io/bucketaccess-bucket-protection";

    /** On a BucketAccess, by the sidecar. */
    public static final String ACCESS_FINALIZER = "cosi.objectstorage.k8s.io/bucketaccess-protection";

    /** On the Secret of a BucketAccess. */
    public static final String SECRET_FINALIZER = "cosi.objectstorage.k8s.io/secret-protection";

    /** The key of the Secret of a BucketAccess. */
    public static final String BUCKET_INFO = "BucketInfo";

    /**
     * On a Bucket with existingBucketID, by an administrator, with the value {@code true}: deletionPolicy Delete deletes this
     * bucket, too, although it existed before. Without it the policy of such a Bucket acts as Retain.
     */
    public static final String DELETE_EXISTING_BUCKET = "bucketwright.io/delete-existing-bucket";

    /** The only value of {@code deletionPolicy} that deletes. */
    public static final String DELETE = "Delete";

    /**
     * Annotation of a BucketClaim by Bucketwright's controller, together with the finalizer: the uid of the BucketClaim itself.
     * One of another uid was restored from a backup, and gets no new bucket.
     */
    public static final String CLAIM_UID = "bucketwright.io/bucketclaim-uid";

    /**
     * Annotation of a Bucket by Bucketwright's sidecar, written before the driver is called: the uid of the Bucket itself. A
     * Bucket of another uid was restored from a backup, in this cluster or in another one.
     */
    public static final String BUCKET_UID = "bucketwright.io/bucket-uid";

    /** Annotation of a Bucket by Bucketwright's sidecar: the driver's id of its bucket, because a backup has no status. */
    public static final String BUCKET_ID = "bucketwright.io/bucket-id";

    /**
     * Annotation of a restored Bucket by an administrator: its present uid, which confirms that nobody else uses its bucket.
     * Without it nothing is created, granted or destroyed for that Bucket.
     */
    public static final String USE_RESTORED = "bucketwright.io/use-restored";

    /** Annotation of a BucketAccess and its Secret by the sidecar: the driver, for when class and Bucket no longer exist. */
    public static final String DRIVER = "bucketwright.io/cosi-driver";

    /**
     * Annotation of a Bucket by Bucketwright's sidecar: the ledger of its grants, with a version. Written before the driver is
     * called, and the only record by which accounts are revoked: tenants cannot write Buckets.
     */
    public static final String GRANTS = "bucketwright.io/grants";

    /**
     * Annotation of a Bucket by an administrator: the names of accounts, separated by commas, that an event names as lost and
     * that do not exist in the store any more.
     */
    public static final String DELETED_ACCOUNTS = "bucketwright.io/deleted-accounts";

    /** Annotation of a BucketAccessClass: how long the previous credentials stay valid after a rotation. */
    public static final String ROTATION_OVERLAP = "bucketwright.io/rotation-overlap";

    /** Annotation of a BucketAccessClass: what the Secrets of its accesses contain beside {@link #BUCKET_INFO}. */
    public static final String SECRET_FORMAT = "bucketwright.io/secret-format";

    /** The value that requests a key for each value, as ObjectBucketClaims have them. */
    public static final String FLAT_KEYS = "flat";

    private ReleasedNames() {}

    /** The name of the Bucket for a claim. */
    public static String bucketOf(String claimUid) {
        return "bucket-" + claimUid;
    }

    /** The Lease of a driver's sidecar, as the reference implementation names it: two sidecars never lead at a time. */
    public static String leaseOf(String driverName) {
        return driverName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-") + "-cosi";
    }

    /** The first account of a BucketAccess. */
    public static String accountOf(String accessUid) {
        return "ba-" + accessUid;
    }

    /** The name in the {@code BucketInfo} of a BucketAccess. */
    public static String bucketInfoOf(String accessUid) {
        return "bc-" + accessUid;
    }
}
