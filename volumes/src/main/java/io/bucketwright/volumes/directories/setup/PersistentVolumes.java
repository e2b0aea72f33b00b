package io.bucketwright.volumes.directories.setup;

import io.bucketwright.volumes.directories.classes.Backing;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpecBuilder;
import java.util.Optional;

/** Volumes as they are handed out, whole in one POST. */
public final class PersistentVolumes {

    private PersistentVolumes() {}

    /**
     * The volume of a directory.
     *
     * @param hostname by which the node of a local volume is found; empty for others
     */
    public static PersistentVolume of(
            Marker marker, DirectoryClass of, PersistentVolumeClaim claim, boolean deletes, String hostname) {
        PersistentVolumeSpecBuilder spec = new PersistentVolumeSpecBuilder()
                .addToCapacity(
                        "storage", claim.getSpec().getResources().getRequests().get("storage"))
                .withAccessModes(claim.getSpec().getAccessModes())
                .withVolumeMode("Filesystem")
                .withPersistentVolumeReclaimPolicy(deletes ? "Delete" : "Retain")
                .withStorageClassName(of.name())
                .withMountOptions(of.mountOptions())
                .withNewClaimRef()
                .withApiVersion("v1")
                .withKind("PersistentVolumeClaim")
                .withNamespace(marker.claim().namespace())
                .withName(marker.claim().name())
                .withUid(marker.claim().uid())
                .withResourceVersion(claim.getMetadata().getResourceVersion())
                .endClaimRef();
        String directory = "/" + marker.name();
        switch (of.backing()) {
            case Backing.HostPath(String path) ->
                spec.withNewHostPath()
                        .withPath(path + directory)
                        .withType("Directory")
                        .endHostPath();
            case Backing.Nfs(String server, String path) ->
                spec.withNewNfs()
                        .withServer(server.replaceAll("[\\[\\]]", ""))
                        .withPath(path + directory)
                        .endNfs();
            case Backing.Local(String path) ->
                spec.withNewLocal()
                        .withPath(path + directory)
                        .endLocal()
                        .withNewNodeAffinity()
                        .withNewRequired()
                        .addNewNodeSelectorTerm()
                        .addNewMatchExpression()
                        .withKey(Words.HOSTNAME)
                        .withOperator("In")
                        .withValues(hostname)
                        .endMatchExpression()
                        .endNodeSelectorTerm()
                        .endRequired()
                        .endNodeAffinity();
        }
        PersistentVolumeBuilder volume = new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(marker.name().text())
                .addToAnnotations(Words.PROVISIONED_BY, of.provisioner())
                .addToAnnotations(Words.ROOT, marker.root())
                .addToAnnotations(Words.CLAIM_UID, marker.claim().uid())
                .withFinalizers(Words.FINALIZER)
                .endMetadata()
                .withSpec(spec.build());
        if (!marker.node().isEmpty()) {
            volume.editMetadata().addToAnnotations(Words.NODE, marker.node()).endMetadata();
        }
        return volume.build();
    }

    /** Where nodes find the volume's directory, in the words of a class: a path, or server and path. */
    public static Optional<String> location(PersistentVolume volume) {
        if (volume.getSpec().getHostPath() != null) {
            return Optional.ofNullable(volume.getSpec().getHostPath().getPath());
        }
        if (volume.getSpec().getLocal() != null) {
            return Optional.ofNullable(volume.getSpec().getLocal().getPath());
        }
        if (volume.getSpec().getNfs() != null) {
            String server = String.valueOf(volume.getSpec().getNfs().getServer());
            // Kubelet puts the brackets of an IPv6 address itself; classes have them.
            return Optional.of((server.contains(":") ? "[" + server + "]" : server) + ":"
                    + volume.getSpec().getNfs().getPath());
        }
        return Optional.empty();
    }
}
