/**
 * The orphan controller. It belongs to no provisioner and checks every ObjectBucket and claim for two conditions: an
 * ObjectBucket whose claim no longer exists, and a bound claim whose ObjectBucket no longer exists. It reports them with
 * an event, waits for a grace period, reads the API server to confirm what the cache shows, and then deletes the
 * ObjectBucket or sets the claim's phase to Released. The provisioner of the ObjectBucket releases the bucket in the
 * store.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.orphans;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
