/**
 * Provisions a PersistentVolume and its directory for a claim. A key is one claim with its uid. {@code DirectoryClaimController}
 * reads the caches and the root's marker index, {@code DirectoryRequestParser} validates the claim against its class,
 * {@code DirectoryClaimDecision} selects the next step, and the controller executes it: write the marker, create the
 * directory, set its owner, create the volume. If the claim is deleted before its volume is created, the marker and the
 * directory are removed; a directory that is not empty is always kept.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.volumes.directories.provisioning;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
