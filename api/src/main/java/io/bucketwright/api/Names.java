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

    private Names() {}
}
