/**
 * The roots of this process. A root is opened when this process becomes the leader: its identity is verified and its
 * markers are read into an index. Only the leader writes markers, so the index stays correct without reading the disk, and
 * observing a claim costs no disk access. A root whose disk is unmounted becomes unavailable at the next operation; claims
 * and volumes that need it wait until it can be opened again. Each root has its own threads, eight for short operations and
 * four for long ones, so that a file system that hangs delays only its own volumes.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.volumes.directories.roots;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
