package io.bucketwright.runtime.cache;

import java.util.List;

/** Finds cached objects by something other than their name. */
@FunctionalInterface
public interface Index<T> {

    /** All objects under this value, with the latest writes of this process. */
    List<T> get(String value);
}
