/**
 * Who may act. Processes of one role compete for a Lease through fabric8's {@code LeaderElector}; what they may do with it
 * is decided by a {@link io.bucketwright.runtime.leader.Fence} of our own, because the elector's callbacks come late: after
 * a paused process resumes, or while its release waits for a server that is away. The fence counts from the moment before
 * the renewal was sent, and closes long enough before the lease ends for requests on their way to arrive. DESIGN.md beside
 * the sources lists what the elector leaves open and how the lock handed to it closes that.
 */
@NullMarked
package io.bucketwright.runtime.leader;

import org.jspecify.annotations.NullMarked;
