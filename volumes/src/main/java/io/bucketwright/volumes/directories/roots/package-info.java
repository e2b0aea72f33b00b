/**
 * The roots of this process, each with what is known of it. A root is opened once: its identity is checked, its markers are
 * read into a ledger, and from then on the ledger is kept by our own steps, because only the leader writes markers. So
 * observing a claim costs no look at the disk. A root that is lost, because its disk was unmounted, closes at the next
 * step, and whatever waits for it waits until it is back. Each root has threads of its own, a few for short steps and fewer
 * for long ones: a file system that hangs holds its own volumes up and no others.
 */
@NullMarked
package io.bucketwright.volumes.directories.roots;

import org.jspecify.annotations.NullMarked;
