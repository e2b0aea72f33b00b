package io.bucketwright.volumes.directories.released;

import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.setup.PersistentVolumes;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.VolumeName;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Optional;

/** Whether a volume's directory is provably the one that was made for it. */
record Proof(Settings settings, String root) {

    /** What is missing from the proof; empty if nothing is. */
    Optional<String> flaw(PersistentVolume volume, Marker marker) {
        String name = volume.getMetadata().getName();
        if (!marker.name().text().equals(name) || !VolumeName.isRightFor(marker)) {
            return Optional.of("the name of its directory is not the one that its claim had");
        }
        if (!marker.cluster().equals(settings.clusterId().get())) {
            return Optional.of("the marker of its directory was written for another cluster");
        }
        if (!marker.provisioner()
                .equals(Words.annotation(volume, Words.PROVISIONED_BY).orElse(""))) {
            return Optional.of("another provisioner made its directory");
        }
        if (!marker.node().equals(settings.node())) {
            return Optional.of("its directory was made on another node");
        }
        if (!marker.root().equals(root)
                || !marker.root().equals(Words.annotation(volume, Words.ROOT).orElse(""))) {
            return Optional.of("its directory was made in another root");
        }
        if (!marker.storageClass().equals(volume.getSpec().getStorageClassName())) {
            return Optional.of("its directory was made for another class");
        }
        if (!marker.claim()
                .uid()
                .equals(Words.annotation(volume, Words.CLAIM_UID).orElse(""))) {
            return Optional.of("its directory was made for another claim");
        }
        if (!PersistentVolumes.location(volume).orElse("").equals(marker.published() + "/" + marker.name())) {
            return Optional.of("it points elsewhere than to the directory that was made for it");
        }
        return Optional.empty();
    }
}
