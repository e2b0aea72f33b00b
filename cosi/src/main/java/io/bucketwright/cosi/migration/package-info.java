/** From the kinds of {@code cosi.io} to the released ones: manifests for the buckets and accesses that exist. */
@NullMarked
package io.bucketwright.cosi.migration;

import org.jspecify.annotations.NullMarked;
