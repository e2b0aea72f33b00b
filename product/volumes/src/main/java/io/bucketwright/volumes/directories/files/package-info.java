/**
 * A root and its directories on the disk; knows nothing of Kubernetes. Pods can replace the content of their volumes with
 * symbolic links at any time, so no operation uses a path: every system call is relative to an open directory, takes one
 * path segment, and does not follow links. Markers in {@code .bucketwright} below the root, which no volume contains, record
 * which claim owns which directory; a marker is written before its directory is created. The root's identity is stored
 * beside the markers, so that the mount point of an unmounted disk is never mistaken for an empty root.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.directories.files;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
