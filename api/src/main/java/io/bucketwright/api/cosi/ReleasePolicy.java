package io.bucketwright.api.cosi;

/** What happens to a bucket when its last BucketRequest is deleted. */
public enum ReleasePolicy {
    /** The Bucket and its data remain and can be used again. */
    RETAIN("Retain"),
    /** The bucket and its content are deleted. */
    DELETE("Delete");

    static final String PATTERN = "^(Retain|Delete)$";

    private final String text;

    ReleasePolicy(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Any text other than {@code Delete} is Retain, so that a typo deletes no data. */
    public static ReleasePolicy of(String text) {
        return DELETE.text.equals(text) ? DELETE : RETAIN;
    }

    @Override
    public String toString() {
        return text;
    }
}
