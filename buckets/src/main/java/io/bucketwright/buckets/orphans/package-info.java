/**
 * The orphan controller of the second design document: it belongs to no provisioner, looks at every ObjectBucket, and
 * knows two sorrows, a bucket without its claim and a claim without its bucket. It reports first, waits, asks the API
 * server itself before it believes its cache, and then does one thing: it deletes the ObjectBucket, or calls the claim
 * Released. What becomes of the bucket in the store is its provisioner's affair.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.orphans;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
