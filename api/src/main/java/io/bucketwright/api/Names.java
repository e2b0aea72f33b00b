package io.bucketwright.api;

/** Names that every implementation of these resources shares, and those of ours that stand inside them. */
public final class Names {
    public static final String GROUP = "objectbucket.io";
    public static final String VERSION = "v1alpha1";

    /** On the claim, the bucket, the Secret and the ConfigMap. */
    public static final String FINALIZER = "objectbucket.io/finalizer";

    /** Its value is cut and altered to be a legal label, so it finds objects but proves nothing. */
    public static final String PROVISIONER_LABEL = "bucket-provisioner";

    /** Where the intent is kept when the installed schema has no field for it. */
    public static final String INTENT_STATE = "bucketwright.io/intent";

    /** Where the Secret's digest is kept when the installed schema has no field for it. */
    public static final String SECRET_DIGEST_STATE = "bucketwright.io/secret-digest";

    /** On a claim: new keys as of that time. */
    public static final String ROTATE_AT = "bucketwright.io/rotate-at";

    /** In an ObjectBucket's additional state: the last {@link #ROTATE_AT} that was acted on. */
    public static final String ROTATED_FOR_STATE = "bucketwright.io/rotated-for";

    /** In an ObjectBucket's additional state: until when the keys from before are valid. */
    public static final String PREVIOUS_KEY_UNTIL_STATE = "bucketwright.io/previous-key-until";

    private Names() {}
}
