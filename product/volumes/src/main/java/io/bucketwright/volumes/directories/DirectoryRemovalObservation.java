package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.MarkerFile;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.time.Instant;
import java.util.Optional;

/**
 * The observed state of one volume.
 *
 * @param volume empty if the volume with this uid no longer exists
 * @param claimExists whether the claim that the volume is bound to exists
 * @param markerClaimWaits whether the claim that the marker names exists and is not bound
 * @param root that of the volume's class; empty if this process has none for it
 * @param marker the marker with the volume's name
 * @param state what this process did for the volume
 */
record DirectoryRemovalObservation(
        Optional<PersistentVolume> volume,
        boolean claimExists,
        boolean markerClaimWaits,
        String clusterId,
        Optional<RootObservation> root,
        Optional<MarkerFile> marker,
        DirectoryRemovalState state,
        Instant now) {}
