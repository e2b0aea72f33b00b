/**
 * Where a class gets its store from. A provisioner has one store for all classes
 * ({@link io.bucketwright.buckets.stores.SingleStore}), or opens stores of one kind by the parameters of each class and
 * the administrator Secret that they name ({@link io.bucketwright.buckets.stores.ClassStores}). Tools use the same
 * classes to open the store of a class as the controller does. Nothing here depends on claims.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.buckets.stores;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
