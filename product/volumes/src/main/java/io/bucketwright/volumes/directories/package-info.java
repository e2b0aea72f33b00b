/**
 * Volumes that are directories in a root. Each claim gets a directory with the owner and mode it requested and a
 * PersistentVolume that refers to it; when the volume is released, the directory is deleted, archived or retained.
 * {@code provisioning} reconciles claims, {@code deletion} reconciles volumes, {@code roots} opens root directories and runs
 * operations on them, {@code files} accesses the disk, {@code classes} parses StorageClasses, {@code objects} has what the
 * controllers share of Kubernetes objects, and {@code metrics} measures usage.
 * {@link io.bucketwright.volumes.directories.DirectoryProvisioner} builds a process with all of them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.directories;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
