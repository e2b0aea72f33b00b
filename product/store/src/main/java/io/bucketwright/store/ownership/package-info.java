/**
 * The rules by which a bucket gets an owner or another one, for authors of stores. A store reads the ownership tags of a
 * bucket, asks {@link io.bucketwright.store.ownership.OwnershipChange} what to change, and carries that out. Nothing here
 * sends a request.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.ownership;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
