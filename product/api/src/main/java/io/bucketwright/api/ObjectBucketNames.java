package io.bucketwright.api;

/** The API group, finalizer, labels and annotations of ObjectBucketClaims, and the keys in an ObjectBucket's state. */
public final class ObjectBucketNames {
    public static final String GROUP = "objectbucket.io";
    public static final String VERSION = "v1alpha1";

    /** Finalizer of the claim, the ObjectBucket, the Secret and the ConfigMap. */
    public static final String FINALIZER = "objectbucket.io/finalizer";

    /**
     * Label with the provisioner's name. The value is shortened and altered to be a valid label value: use it to select
     * objects, not to prove which provisioner owns them.
     */
    public static final String PROVISIONER_LABEL = "bucket-provisioner";

    /** Prefix of all annotations and state keys that Bucketwright defines. */
    public static final String PREFIX = "bucketwright.io/";

    /** Annotation of a StorageClass: the default class of claims that name none. */
    public static final String DEFAULT_CLASS_ANNOTATION = PREFIX + "default-bucket-class";

    /** Annotation of a claim: issue new credentials as of this time. */
    public static final String ROTATE_AT = PREFIX + "rotate-at";

    /** Annotation of a claim: the full name of the provisioner that added the finalizer. */
    public static final String PROVISIONER_ANNOTATION = PREFIX + "provisioner";

    /** Annotation of an ObjectBucket, set by an administrator: overrides {@code onNotEmpty} of the class. */
    public static final String ON_NOT_EMPTY_ANNOTATION = PREFIX + "on-not-empty";

    /** Annotation of an ObjectBucket, set by an administrator: finish the deletion without calling the store. */
    public static final String ABANDON_ANNOTATION = PREFIX + "abandon";

    /** Annotation of a claim whose bucket was transferred from another cluster: the id of that cluster. */
    public static final String TRANSFERRED_FROM_ANNOTATION = PREFIX + "transferred-from-cluster";

    /** Annotation of a StorageClass that was created to adopt one bucket: the bucket's name. */
    public static final String ADOPTS_ANNOTATION = PREFIX + "adopts";

    /** State key: the intent, if the installed schema has no field for it. */
    public static final String INTENT_STATE = PREFIX + "intent";

    /** State key: the Secret's digest, if the installed schema has no field for it. */
    public static final String SECRET_DIGEST_STATE = PREFIX + "secret-digest";

    /** The ledger of grants: a state key of an ObjectBucket, and an annotation of a Bucket of COSI. */
    public static final String GRANTS = PREFIX + "grants";

    private ObjectBucketNames() {}
}
