/**
 * Requests to transfer buckets from a cluster that no longer exists, for Buckets that a backup restored in this one. The
 * sidecars carry them out.
 */
@NullMarked
package io.bucketwright.cosi.transfer;

import org.jspecify.annotations.NullMarked;
