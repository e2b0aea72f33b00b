/**
 * What the controllers know of the cluster without asking it. One informer per kind and {@link
 * io.bucketwright.runtime.cache.Scope} is shared by all controllers of the process. Informers trail our own writes, so the
 * answer to each write is laid over them until they have caught up: what was written is what is read, and no write is
 * repeated because a cache was old.
 */
@NullMarked
package io.bucketwright.runtime.cache;

import org.jspecify.annotations.NullMarked;
