package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/** The version of an object or of a list. Kubernetes promises that they are decimal numbers that grow. */
record ResourceVersion(String value) {

    static ResourceVersion of(HasMetadata object) {
        return of(object.getMetadata().getResourceVersion());
    }

    static ResourceVersion of(@Nullable String value) {
        return new ResourceVersion(value == null ? "" : value);
    }

    /** An unknown version is older than any other. */
    boolean atLeast(ResourceVersion other) {
        // Without leading zeros a longer number is a larger one; no need to parse, nor to know how many bits they have.
        int byLength = Integer.compare(value.length(), other.value.length());
        return byLength != 0 ? byLength > 0 : value.compareTo(other.value) >= 0;
    }
}
