/**
 * Which claims use a bucket that was created for another claim. Such a bucket is neither deleted nor erased. Names alone do not
 * prove that two classes mean the same bucket, and addresses do not prove that they mean different ones: the store is asked.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.sharing;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
