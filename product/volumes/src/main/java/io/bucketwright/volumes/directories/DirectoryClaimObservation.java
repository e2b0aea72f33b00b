package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Optional;

/**
 * The observed state of one claim.
 *
 * @param claim empty if the claim with this uid no longer exists
 * @param namespaceUid empty if the namespace is not in the cache
 * @param volumes bound to this claim, or created for it
 * @param sameNameVolume the volume with the name that this claim's volume would have
 * @param root that of the class
 * @param sameNameMarker the marker with the name that this claim's directory would have
 * @param ownMarker the marker with this claim's uid, in any root
 * @param ownMarkerVolume the volume with the name of that marker, whoever it was created for
 * @param boundMarker the marker with the name of the volume that the claim is bound to
 * @param requestedByOthers the bytes that other claims requested in the class's root
 * @param nanos the time of the observation
 * @param state what this process did for the claim
 */
record DirectoryClaimObservation(
        ObjectKey key,
        Optional<PersistentVolumeClaim> claim,
        ResolvedClass storageClass,
        String clusterId,
        String namespaceUid,
        List<PersistentVolume> volumes,
        Optional<PersistentVolume> sameNameVolume,
        RootObservation root,
        Optional<MarkerFile> sameNameMarker,
        Optional<MarkerLocation> ownMarker,
        Optional<PersistentVolume> ownMarkerVolume,
        Optional<Marker> boundMarker,
        long requestedByOthers,
        long nanos,
        DirectoryClaimState state) {

    DirectoryClaimObservation {
        volumes = List.copyOf(volumes);
    }
}
