/**
 * Caches of cluster objects. One informer per kind and {@link io.bucketwright.runtime.cache.Scope} is shared by all
 * controllers of the process. Informers lag behind the writes of this process, so the response to each write is laid over
 * them until they have caught up: a controller reads its own writes, and repeats none because a cache was old.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.cache;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
