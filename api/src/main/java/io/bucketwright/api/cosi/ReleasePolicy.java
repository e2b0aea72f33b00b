package io.bucketwright.api.cosi;

/** What becomes of a bucket when nobody requests it any more. */
public enum ReleasePolicy {
    /** The Bucket and its data stay and may be used again. */
    RETAIN("Retain"),
    /** The bucket and its content are destroyed. */
    DELETE("Delete");

    static final String PATTERN = "^(Retain|Delete)$";

    private final String text;

    ReleasePolicy(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Only the exact word destroys anything. */
    public static ReleasePolicy of(String text) {
        return DELETE.text.equals(text) ? DELETE : RETAIN;
    }

    @Override
    public String toString() {
        return text;
    }
}
