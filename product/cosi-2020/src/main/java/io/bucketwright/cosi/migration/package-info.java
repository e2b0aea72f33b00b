/** From the kinds of {@code cosi.io} to the released ones: manifests for the buckets and accesses that exist. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.migration;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
