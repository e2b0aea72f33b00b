/**
 * Where the controller gets a store from: the one its author gave it, or one that is opened by what a class says, with
 * the administrator's Secret read once for each opening. Nothing here knows of claims.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.stores;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
