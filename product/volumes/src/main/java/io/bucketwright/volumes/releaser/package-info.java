/**
 * Makes PersistentVolumes with reclaim policy Retain Available again after their claim is deleted: for any claim with their
 * data ({@code full}), only for the same claim ({@code soft}), or for any claim after their data is deleted ({@code scrub}).
 * Each patch applies to one resourceVersion of the volume and one uid of its claim. Only administrators can write volumes and
 * classes. Tenants can write claims, so a claim alone never releases a volume.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.releaser;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
