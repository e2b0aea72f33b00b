package io.bucketwright.cosi.wire;

/** The keys in the maps of COSI's messages that client and server share. All others are parameters of a class. */
public final class ParameterKeys {

    /** The prefix of reserved keys; parameters of a class cannot have it. */
    public static final String RESERVED = "cosi.io/";

    /** Of {@code driver_parameters} and {@code bucket_data}: the id of the cluster, the uid of {@code kube-system}. */
    public static final String CLUSTER = "cosi.io/cluster";

    /**
     * Of {@code driver_parameters} and {@code bucket_data}: the uid of the bucket's owner, the BucketRequest that it was
     * created for, or, for the bucket of an administrator, the Bucket.
     */
    public static final String OWNER_UID = "cosi.io/owner-uid";

    /**
     * Of {@code driver_parameters} and {@code bucket_data}, optional: the id of the cluster that owned the bucket before an
     * administrator transferred it to this one. CreateBucket and DeleteBucket replace that id in the ownership tags by
     * {@link #CLUSTER}, and get it only while the transfer is requested. RevokeBucketAccess also ends the account of that
     * cluster.
     */
    public static final String FORMER_CLUSTER = "cosi.io/former-cluster";

    /**
     * Of {@code driver_parameters} of CreateBucket, optional: {@code true} if the bucket exists and nobody uses it any more. The
     * driver creates nothing and removes what opens the bucket to others: policy, ACL, anonymous access. A driver that does
     * not know the key applies the access mode, which is private then.
     */
    public static final String CLOSE = "cosi.io/close";

    /** Of a class's parameters: which Secret the driver gets. Never sent to a driver. */
    public static final String PROVISIONER_SECRET_NAME = "cosi.io/provisioner-secret-name";

    /** Of a class's parameters: where that Secret is. Never sent to a driver. */
    public static final String PROVISIONER_SECRET_NAMESPACE = "cosi.io/provisioner-secret-namespace";

    /** Of {@code permissions}: the account that is granted access, or loses it. */
    public static final String ACCOUNT = "cosi.io/account";

    /** Of {@code permissions}: actions, separated by commas. */
    public static final String ALLOW = "cosi.io/allow";

    /** Of {@code permissions}: actions, separated by commas. */
    public static final String DENY = "cosi.io/deny";

    /** Of {@code permissions}: {@code <namespace>/<name>} of a service account that needs no keys. */
    public static final String SERVICE_ACCOUNT = "cosi.io/service-account";

    /** Of {@code permissions}: when new keys were requested, as in RFC 3339. */
    public static final String ROTATE_AT = "cosi.io/rotate-at";

    /**
     * Of {@code permissions}, optional: the id of the key in use, which stays valid beside the new one until the next
     * grant. Without it, keys that were granted before end with the grant.
     */
    public static final String PUBLISHED_KEYS = "cosi.io/published-keys";

    /** Of {@code permissions}, from the access class: {@code ro}, {@code wo} or {@code rw}. */
    public static final String ACCESS_MODE = "accessMode";

    /** Of {@code permissions}, from the access class: only objects with this key prefix. */
    public static final String PREFIX = "prefix";

    /** Of {@code permissions}, from the access class: {@code true} includes the retention and legal holds of objects. */
    public static final String OBJECT_LOCK = "objectLock";

    /** Of {@code bucket_data}, optional: the version of the signature that the S3 endpoint expects, such as {@code S3v4}. */
    public static final String S3_SIGNATURE_VERSION = "S3_SIGNATURE_VERSION";

    /** Of {@code bucket_data}, optional: the name of the private key of the service account. */
    public static final String GCS_PRIVATE_KEY_NAME = "GCS_PRIVATE_KEY_NAME";

    /** Of {@code bucket_data}, optional: the service account that may access the bucket. */
    public static final String GCS_SERVICE_ACCOUNT = "GCS_SERVICE_ACCOUNT";

    /**
     * Of the credentials in {@code cosi.v1alpha1}, optional: the name of the bucket in the store, for applications. The
     * message has no field for it; sidecars that do not know the key ignore it.
     */
    public static final String BUCKET_NAME = "bucketName";

    /** Of a class's parameters: the endpoint of S3, for drivers whose answer has no field for it. */
    public static final String ENDPOINT = "endpoint";

    /** Of a class's parameters: the region of S3, for drivers whose answer has no field for it. */
    public static final String REGION = "region";

    /** Of a class's parameters: the storage account, for drivers whose answer has no field for it. */
    public static final String STORAGE_ACCOUNT = "storageAccount";

    private ParameterKeys() {}
}
