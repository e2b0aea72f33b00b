/**
 * Deletes, archives or retains the directories of released volumes. A key is one PersistentVolume with its uid. Before a
 * directory is changed, {@code MarkerVerification} compares its marker with the volume. The order is: delete the volume,
 * which its finalizer keeps; mark the directory as deleting; delete or archive the directory; remove the volume's finalizer;
 * remove the marker. A volume without the finalizer is deleted after its directory. A crash between two steps loses nothing,
 * because the next process reads the marker. A directory or root that is missing is reported, never treated as deleted.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.volumes.directories.deletion;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
