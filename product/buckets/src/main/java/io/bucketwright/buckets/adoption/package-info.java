/**
 * Adoption of buckets whose claim no longer exists, by a class that allows it. The decision is pure; the reads that prove that
 * the former claim no longer exists are apart from it. A bucket is given away only if every doubt is excluded: whoever gets it
 * reads the data of the former owner, and the keys of that owner stop working.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.adoption;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
