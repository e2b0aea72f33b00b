package io.bucketwright.api.cosi;

import io.bucketwright.api.text.TextEnum;

/** What happens to a bucket when its last BucketRequest is deleted. */
public enum ReleasePolicy implements TextEnum {
    /** The Bucket and its data remain and can be used again. */
    RETAIN("Retain"),
    /** The bucket and its content are deleted. */
    DELETE("Delete");

    static final String PATTERN = "^(Retain|Delete)$";

    private final String text;

    ReleasePolicy(String text) {
        this.text = text;
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
