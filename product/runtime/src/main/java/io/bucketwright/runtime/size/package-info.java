/**
 * How much of an object the caches keep. {@link io.bucketwright.runtime.size.ObjectLimit} estimates the heap that an object
 * needs, and reduces one that a tenant made too large to its identity and its short fields.
 */
@API(status = API.Status.INTERNAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.size;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
