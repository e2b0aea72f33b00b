/**
 * Leader election. Processes of one role compete for a Lease: {@link io.bucketwright.runtime.leader.Elector} is the loop,
 * {@code ObservedLease} decides when the lease is free, and {@code Fence} whether this process may act. The fence counts from
 * before the renewal was sent, and closes long enough before the lease expires for requests in flight to arrive. DESIGN.md
 * beside the sources has the time line and the reasons for a loop of our own.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.leader;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
