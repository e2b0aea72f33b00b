/**
 * StorageClasses for buckets. {@link io.bucketwright.buckets.classes.ClassParameters} is the table of all parameters of
 * the controller; {@link io.bucketwright.buckets.classes.BucketClass} is a class whose parameters were validated with
 * it. Nothing else in this module interprets the text of a parameter.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.buckets.classes;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
