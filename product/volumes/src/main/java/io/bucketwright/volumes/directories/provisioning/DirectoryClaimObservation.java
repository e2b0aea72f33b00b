package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.roots.RootState;
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
 * @param root the state of the class's root
 * @param hanging how to report that the root's disk hangs; empty if it does not
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
        RootState root,
        Optional<String> hanging,
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

    /** Reports a problem of the claim, once. */
    Decision<DirectoryClaimStep> report(Problem problem) {
        return state.reported().equals(problem.message())
                ? Decision.finish(problem.result())
                : Decision.act(new DirectoryClaimStep.ReportProblem(claim.orElseThrow(), problem));
    }
}
