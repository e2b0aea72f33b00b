/**
 * The Kubernetes objects that the directory controllers share: their caches, their annotations, the names of volumes, and
 * the PersistentVolume of a directory.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.directories.objects;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
