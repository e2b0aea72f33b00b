/**
 * Volumes that are directories in a root. Each claim gets a directory with the owner and mode it requested and a
 * PersistentVolume that refers to it; when the volume is released, the directory is deleted, archived or retained.
 * {@link io.bucketwright.volumes.directories.DirectoryProvisioner} builds a process with all controllers; {@code files}
 * accesses the disk, and {@code classes} parses StorageClasses.
 *
 * <p>{@code DirectoryClaimController}: a key is one claim with its uid. {@code DirectoryRequest} validates the claim
 * against its class, and the steps are: write the marker, create the directory, set its owner, create the volume. If the
 * claim is deleted before its volume is created, the marker and the directory are removed; a directory that is not empty is
 * always kept.
 *
 * <p>{@code DirectoryRemovalController}: a key is one PersistentVolume with its uid. Before a directory is changed,
 * {@code DirectoryRemovalDecision} compares its marker with the volume. The order is: delete the volume, which its finalizer
 * keeps; mark the directory as deleting; delete or archive the directory; remove the volume's finalizer; remove the marker. A volume
 * without the finalizer is deleted after its directory. A crash between two steps loses nothing, because the next process
 * reads the marker. A directory or root that is missing is reported, never treated as deleted.
 *
 * <p>{@code RootController}: a root is opened when this process becomes the leader: its identity is verified and its markers
 * are read into an index. Only the leader writes markers, so the index stays correct without reading the disk, and observing
 * a claim costs no disk access. A root whose disk is unmounted becomes unavailable at the next operation; claims and volumes
 * that need it wait until it can be opened again. Each root has its own threads, eight for short operations and four for long
 * ones, so that a file system that hangs delays only its own volumes.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.directories;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
