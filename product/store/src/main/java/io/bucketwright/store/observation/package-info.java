/**
 * Calls to a store as metrics see them: {@code MeasuredStore} reports each call of a {@code BucketStore}, with its operation,
 * its result and how long it took, to a {@code StoreObserver}. This package knows no metrics library.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.observation;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
