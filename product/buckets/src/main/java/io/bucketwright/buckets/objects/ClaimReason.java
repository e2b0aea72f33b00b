package io.bucketwright.buckets.objects;

/** The reasons of the condition Ready of ObjectBucketClaims, and of events on them and on ObjectBuckets. */
public final class ClaimReason {

    /** The bucket is ready to use. */
    public static final String BOUND = "Bound";

    /** The claim contains an invalid, unknown or forbidden value. The message names it: change the claim. */
    public static final String INVALID = "Invalid";

    /** The store does not support what the claim or the class requests. Change the claim, or use another class. */
    public static final String UNSUPPORTED = "Unsupported";

    /** The parameter allowedNamespaces of the class excludes the namespace of the claim. Use another class. */
    public static final String NAMESPACE_NOT_ALLOWED = "NamespaceNotAllowed";

    /**
     * The claim names no class and several classes are the default. Name a class, or keep the annotation on one of
     * them.
     */
    public static final String MULTIPLE_DEFAULT_CLASSES = "MultipleDefaultClasses";

    /** The class does not exist. The claim continues by itself when the class is created. Only an event. */
    public static final String CLASS_NOT_FOUND = "ClassNotFound";

    /** A parameter of the class is invalid. An administrator deletes the class and creates it again. */
    public static final String INVALID_CLASS = "InvalidClass";

    /**
     * A bucket or a user of that name exists in the store and does not belong to this claim. Choose another name, or a
     * class that adopts it.
     */
    public static final String BUCKET_TAKEN = "BucketTaken";

    /**
     * The class adopts buckets whose claim no longer exists, and this bucket is not one of them. The message says why: the
     * former claim or its ObjectBucket exists, is in another namespace or cluster, or is unknown. The controller retries.
     */
    public static final String ORPHAN_NOT_ADOPTED = "OrphanNotAdopted";

    /** The claim adopts a bucket whose claim no longer exists; the user of that claim was deleted. Only an event. */
    public static final String ORPHAN_ADOPTED = "OrphanAdopted";

    /**
     * The existing bucket that the class or the claim names does not exist. Create it, or use another class; the
     * controller retries.
     */
    public static final String BUCKET_NOT_FOUND = "BucketNotFound";

    /**
     * A Secret of the name that the claim needs belongs to somebody else. Delete or rename it, or create the claim
     * under another name.
     */
    public static final String SECRET_NOT_OWNED = "SecretNotOwned";

    /**
     * A ConfigMap of the name that the claim needs belongs to somebody else. Delete or rename it, or create the claim
     * under another name.
     */
    public static final String CONFIG_MAP_NOT_OWNED = "ConfigMapNotOwned";

    /** The claim requires an encrypted connection and the store has no https. Remove ssl, or use another class. */
    public static final String TLS_NOT_AVAILABLE = "TLSNotAvailable";

    /** The administrator Secret is missing, wrong or lacks permissions. Fix it; the controller retries. */
    public static final String STORE_DENIED = "StoreDenied";

    /**
     * The store does not answer, answers 429 or 5xx, or something else answers at its endpoint. The controller retries
     * with back-off.
     */
    public static final String STORE_UNAVAILABLE = "StoreUnavailable";

    /**
     * The API server rejected a write of the controller: a quota, an admission policy or a missing permission. Fix the
     * cause; the controller retries.
     */
    public static final String WRITE_REJECTED = "WriteRejected";

    /** The bucket is usable with its previous options. The message names the invalid one: change the claim. */
    public static final String OPTIONS_NOT_APPLIED = "OptionsNotApplied";

    /**
     * The bucket is usable. The Secret was edited, its keys are renamed or the administrator's key was replaced during the
     * overlap of a rotation. Wait, or delete the Secret.
     */
    public static final String WAITING_FOR_PREVIOUS_KEY = "WaitingForPreviousKey";

    /**
     * The bucket is usable. Its class was created again, or the endpoint in its Secret changed, and it names another store, or
     * one that cannot be reached or does not have the bucket, or its parameters do not fit those of the bucket. The store is
     * reached as recorded. Correct the class or the Secret, or set the parameter sameStoreAs of the class.
     */
    public static final String CLASS_NOT_FOLLOWED = "ClassNotFollowed";

    /** The bucket is usable. The annotation bucketwright.io/rotate-at is not a time. */
    public static final String INVALID_ROTATE_AT = "InvalidRotateAt";

    /** Somebody deleted the ObjectBucket. The bucket works until the claim is deleted: move the data to a new claim. */
    public static final String OBJECT_BUCKET_DELETING = "ObjectBucketDeleting";

    /** The ObjectBucket no longer exists. Delete the claim, and create a new one if a bucket is needed. */
    public static final String OBJECT_BUCKET_MISSING = "ObjectBucketMissing";

    /**
     * The bucket was deleted in the store after the claim was bound. It is not created again. Restore it, or delete the
     * claim. The controller looks again.
     */
    public static final String BUCKET_MISSING = "BucketMissing";

    /**
     * The bucket in the store belongs to another owner since the claim was bound: it was deleted and created again, or
     * given to another claim or cluster. The controller looks again after a minute, and if that is still so, revokes the
     * access of this claim. Delete the claim.
     */
    public static final String BUCKET_REPLACED = "BucketReplaced";

    /**
     * The user of the claim, or its policy, was deleted in the store after the claim was bound. A rotation creates both
     * again. The controller looks again.
     */
    public static final String ACCESS_MISSING = "AccessMissing";

    /**
     * The bucket works, and its ownership tags were removed in the store. When the claim is deleted, the bucket is left
     * alone. Add the tags again. The controller looks again.
     */
    public static final String TAGS_MISSING = "TagsMissing";

    /** The bucket cannot be deleted because it contains objects. Empty it, or let an administrator allow a purge. */
    public static final String BUCKET_NOT_EMPTY = "BucketNotEmpty";

    /**
     * The claim is deleted, and its bucket was kept in the store, because it does not exist, its tags do not name this claim, or
     * a former claim had to keep it. The message says why. Only an event on claim and ObjectBucket.
     */
    public static final String BUCKET_KEPT = "BucketKept";

    /**
     * The bucket cannot be deleted because other claims use it, or because it is not proven that they use another one. Delete
     * them first.
     */
    public static final String BUCKET_SHARED = "BucketShared";

    /**
     * Another provisioner bound the claim, which is being deleted. Only that provisioner can release its bucket: run it, or
     * take over the bucket as docs/coming-from-rook.md describes.
     */
    public static final String BOUND_BY_ANOTHER_PROVISIONER = "BoundByAnotherProvisioner";

    /**
     * The objects of the bucket are being deleted, or the store may still carry out a request that it did not confirm. No
     * action is needed.
     */
    public static final String DELETING = "Deleting";

    /** A newer release wrote the ObjectBucket. Run that release or a later one. */
    public static final String UNSUPPORTED_INTENT_VERSION = "UnsupportedIntentVersion";

    /** The record of issued credentials cannot be read: nothing is granted or deleted. An administrator restores it. */
    public static final String GRANTS_UNREADABLE = "GrantsUnreadable";

    /** Somebody changed spec.bucketName of a bound claim, and the controller changed it back. Only an event. */
    public static final String BUCKET_NAME_RESTORED = "BucketNameRestored";

    /**
     * Somebody changed spec.reclaimPolicy of an ObjectBucket to a value that the controller does not accept, and it was
     * changed back. Only an event on the ObjectBucket.
     */
    public static final String RECLAIM_POLICY_REVERTED = "ReclaimPolicyReverted";

    /**
     * The claim of an ObjectBucket no longer exists. The message says what happens to the bucket. Only an event on the
     * ObjectBucket.
     */
    public static final String ORPHANED = "Orphaned";

    /**
     * An administrator annotated the ObjectBucket with bucketwright.io/abandon: the bucket and its user stay in the
     * store. Only an event on the ObjectBucket.
     */
    public static final String ABANDONED = "Abandoned";

    private ClaimReason() {}
}
