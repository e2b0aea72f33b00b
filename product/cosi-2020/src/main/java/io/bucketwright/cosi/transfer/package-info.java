/**
 * Requests to transfer buckets from a cluster that no longer exists, for Buckets that a backup restored in this one. The
 * sidecars carry them out.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.transfer;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
