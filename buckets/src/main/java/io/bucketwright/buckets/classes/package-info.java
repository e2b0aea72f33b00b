/**
 * What a StorageClass says about buckets. {@link io.bucketwright.buckets.classes.ClassParameters} is the one table of
 * parameters that belong to the controller; {@link io.bucketwright.buckets.classes.BucketClass} is a class that was read
 * by it, and nothing else in this module looks at a parameter's text.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.classes;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
