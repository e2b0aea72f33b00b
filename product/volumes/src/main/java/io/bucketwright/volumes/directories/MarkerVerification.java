package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.objects.Metadata.annotation;

import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a marker and a volume describe the same directory. Anybody who can create volumes could otherwise have any
 * directory of the root deleted.
 *
 * @param root the id of the open root
 * @param node the node whose disk this process serves; empty for shared roots
 */
record MarkerVerification(String clusterId, String root, String node) {

    /** The first mismatch; empty if there is none. */
    Optional<String> mismatch(PersistentVolume volume, Marker marker) {
        return otherMismatch(volume, marker)
                .or(() -> isOfClaim(volume, marker)
                        ? Optional.empty()
                        : Optional.of("its directory was created for another claim"));
    }

    /** Whether the volume was created for another claim of the same namespace and name, and everything else matches. */
    boolean isOfEarlierClaim(PersistentVolume volume, Marker marker) {
        @Nullable ObjectReference claim = volume.getSpec().getClaimRef();
        return otherMismatch(volume, marker).isEmpty()
                && !isOfClaim(volume, marker)
                && claim != null
                && marker.claim().namespace().equals(claim.getNamespace())
                && marker.claim().name().equals(claim.getName());
    }

    private static boolean isOfClaim(PersistentVolume volume, Marker marker) {
        return marker.claim().uid().equals(annotation(volume, DirectoryAnnotations.CLAIM_UID));
    }

    private Optional<String> otherMismatch(PersistentVolume volume, Marker marker) {
        String name = volume.getMetadata().getName();
        if (!marker.name().text().equals(name) || !VolumeNaming.matchesClaim(marker)) {
            return Optional.of("the name of its directory does not match the claim that the marker names");
        }
        if (!marker.cluster().equals(clusterId)) {
            return Optional.of("the marker of its directory belongs to another cluster");
        }
        if (!marker.provisioner().equals(annotation(volume, DirectoryAnnotations.PROVISIONED_BY))) {
            return Optional.of("its directory was created by another provisioner");
        }
        if (!marker.node().equals(node)) {
            return Optional.of("its directory was created on another node");
        }
        if (!marker.root().equals(root) || !marker.root().equals(annotation(volume, DirectoryAnnotations.ROOT))) {
            return Optional.of("its directory was created in another root");
        }
        if (!marker.storageClass().equals(volume.getSpec().getStorageClassName())) {
            return Optional.of("its directory was created for another class");
        }
        if (!DirectoryVolumes.location(volume).orElse("").equals(location(marker))) {
            return Optional.of("the volume's path is not the path of its directory");
        }
        return Optional.empty();
    }

    /** The path of the directory on the nodes; the root of an NFS server ends with a slash already. */
    private static String location(Marker marker) {
        String published = marker.published();
        return (published.endsWith("/") ? published : published + "/") + marker.name();
    }
}
