/**
 * The settings of a bucket: quota, versioning, lifecycle, policy, CORS, tags and so on. Each
 * {@link io.bucketwright.store.options.BucketOption} needs a {@link io.bucketwright.store.options.Capability} of the store.
 * {@link io.bucketwright.store.options.BucketOptions} merges the options of a class with those of a claim, as far as the
 * class's {@link io.bucketwright.store.options.AllowedOptions} permit.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.options;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
