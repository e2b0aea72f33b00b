package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots.Holding;
import io.bucketwright.volumes.directories.setup.ClassView;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Optional;

/**
 * All that is known about one claim.
 *
 * @param claim empty if this life of it is over
 * @param namespaceUid empty if the namespace is not known
 * @param volumes that name this life of the claim, or were made for it
 * @param namesake the volume of the name that this claim's would have
 * @param root the state of the class's root
 * @param named the marker of the name that this claim's directory would have
 * @param mine the marker that bears this claim's uid, wherever it is
 * @param promised to other claims, below the class's root
 */
record Observed(
        ObjectKey key,
        Optional<PersistentVolumeClaim> claim,
        ClassView storageClass,
        String namespaceUid,
        List<PersistentVolume> volumes,
        Optional<PersistentVolume> namesake,
        RootState root,
        Optional<Found> named,
        Optional<Holding> mine,
        long promised,
        Memory.Progress progress) {

    Observed {
        volumes = List.copyOf(volumes);
    }
}
