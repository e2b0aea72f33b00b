package io.bucketwright.runtime;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;

/**
 * How much of an object a cache keeps. Of an object that is larger than the limit, it keeps a part of fixed size with a mark:
 * identity, finalizers, and short fields of spec and status, so that it can be deleted.
 */
public final class ObjectSize {

    /** What one object can cost in a cache, in bytes of heap. */
    public static final int LIMIT = 64 << 10;

    /** Not a field of the API server: it removes unknown fields of metadata, so that no tenant can write it. */
    private static final String MARK = "tooLarge";

    private ObjectSize() {}

    /** Whether a cache keeps only a part of the object. Such an object must not be replaced, and is not served. */
    public static boolean isTooLarge(HasMetadata object) {
        return object.getMetadata().getAdditionalProperties().containsKey(MARK);
    }

    public static void markTooLarge(ObjectMeta metadata) {
        metadata.setAdditionalProperties(Map.of(MARK, true));
    }
}
