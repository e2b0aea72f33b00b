/**
 * Deletes, archives or retains the directories of released volumes. A key is one PersistentVolume with its uid. Before a
 * directory is changed, {@code MarkerVerification} compares its marker with the volume. The order is: mark the directory as
 * deleting, delete or archive it, remove the volume's finalizer, delete the volume, remove the marker. A crash between two
 * steps loses nothing, because the next process reads the marker. A directory or root that is missing is reported, never
 * treated as deleted.
 */
@NullMarked
package io.bucketwright.volumes.directories.deletion;

import org.jspecify.annotations.NullMarked;
