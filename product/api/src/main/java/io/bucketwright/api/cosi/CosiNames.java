package io.bucketwright.api.cosi;

/** Names that controller, sidecar, driver and adapter share on Kubernetes objects. */
public final class CosiNames {
    public static final String GROUP = "cosi.io";
    public static final String VERSION = "v1alpha1";

    /** The controller's finalizer, on BucketRequest, BucketAccessRequest, Bucket and BucketAccess. */
    public static final String FINALIZER = "cosi.io/finalizer";

    /** The sidecar's finalizer, on BucketAccess (the controller sets it at creation) and on the Secret that the sidecar creates. */
    public static final String PROVISIONER_FINALIZER = "cosi.io/provisioner-finalizer";

    /** The value is shortened to a valid label: it selects objects but does not identify the provisioner. */
    public static final String PROVISIONER_LABEL = "cosi.io/provisioner";

    /** Label and annotation with the uid of a BucketAccess, on the Secrets that belong to it. */
    public static final String BUCKET_ACCESS_UID = "cosi.io/bucket-access-uid";

    /** Annotation of a BucketAccess with the sidecar's {@link ProvisionerReport}. */
    public static final String PROVISIONER_REPORT = "cosi.io/provisioner-report";

    /** Annotation (RFC 3339) that requests new credentials; the controller copies it to the BucketAccess. */
    public static final String ROTATE_AT = "bucketwright.io/rotate-at";

    /** Annotation of the provisioner's Secret: the account whose credentials it contains, if not the first one. */
    public static final String ACCOUNT = "cosi.io/account";

    /** Annotation (RFC 3339) of the provisioner's Secret: when the account before the last rotation is revoked. */
    public static final String PREVIOUS_VALID_UNTIL = "cosi.io/previous-account-valid-until";

    /**
     * Annotation of a Bucket and of the provisioner's Secret: by which id the driver finds the bucket, if the driver issues
     * ids. Proves that the driver has created the bucket.
     */
    public static final String BUCKET_ID = "cosi.io/bucket-id";

    /** Annotation of the provisioner's Secret: by which id the driver revokes the account, if that is not its name. */
    public static final String ACCOUNT_ID = "cosi.io/account-id";

    /** Annotation of the provisioner's Secret: the same for the account before the last rotation. */
    public static final String PREVIOUS_ACCOUNT_ID = "cosi.io/previous-account-id";

    /** Parameter of a BucketAccessClass: how long the previous credentials stay valid after a rotation. */
    public static final String ROTATION_OVERLAP = "cosi.io/rotation-overlap";

    /** Annotation of the provisioner's Secret: the last rotation. */
    public static final String ROTATED_AT = "bucketwright.io/rotated-at";

    /** Parameter of a BucketClass: the Secret with the driver's credentials. */
    public static final String PROVISIONER_SECRET_NAME = "cosi.io/provisioner-secret-name";

    /** Parameter of a BucketClass: the namespace of that Secret. */
    public static final String PROVISIONER_SECRET_NAMESPACE = "cosi.io/provisioner-secret-namespace";

    /**
     * Annotation of a Bucket that was restored from a backup of another cluster: an administrator requests to transfer the
     * bucket in the store from the cluster with this id. The sidecar replaces it by {@link #TRANSFERRED_FROM}.
     */
    public static final String TRANSFER_FROM = "cosi.io/transfer-from-cluster";

    /** Annotation of a Bucket: the cluster whose bucket was transferred to this one. */
    public static final String TRANSFERRED_FROM = "cosi.io/transferred-from-cluster";

    /** A valid Kubernetes name or nothing, so that no unchecked text of a tenant reaches a message or a path. */
    static final String NAME_OR_NONE = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$";

    private CosiNames() {}
}
