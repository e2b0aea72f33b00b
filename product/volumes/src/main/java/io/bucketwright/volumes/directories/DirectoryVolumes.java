package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryVolumeSource;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpecBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The PersistentVolume of a directory, and the name of both. The volume is created complete, in one POST. */
public final class DirectoryVolumes {

    static final String HOSTNAME = "kubernetes.io/hostname";

    private DirectoryVolumes() {}

    /** {@code <namespace>-<claim>-vol}, or {@code pvc-<uid>} if that is chosen or the first is too long. */
    public static DirectoryName name(ObjectKey claim, boolean byUid) {
        String byClaim = claim.namespace() + "-" + claim.name() + "-vol";
        return new DirectoryName(byUid || !DirectoryName.isValid(byClaim) ? "pvc-" + claim.uid() : byClaim);
    }

    /** The names that the volume can have, by the class that is used. */
    static List<String> names(ObjectKey claim) {
        return Stream.of(name(claim, false), name(claim, true))
                .map(DirectoryName::text)
                .distinct()
                .toList();
    }

    /**
     * Builds the volume of a directory.
     *
     * @param deletes whether its reclaim policy is Delete; otherwise it is Retain
     * @param hostname the node's label {@code kubernetes.io/hostname} for a local volume; empty for others
     */
    static PersistentVolume of(
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
        switch (of.source()) {
            case DirectoryVolumeSource.HostPath(String path) -> spec.withNewHostPath(path + directory, "Directory");
            case DirectoryVolumeSource.Nfs(String server, String path) ->
                spec.withNewNfs((path.equals("/") ? "" : path) + directory, null, server.replaceAll("[\\[\\]]", ""));
            case DirectoryVolumeSource.Local(String path) ->
                spec.withNewLocal(null, path + directory)
                        .withNewNodeAffinity()
                        .withNewRequired()
                        .addNewNodeSelectorTerm()
                        .addToMatchExpressions(new NodeSelectorRequirement(HOSTNAME, "In", List.of(hostname)))
                        .endNodeSelectorTerm()
                        .endRequired()
                        .endNodeAffinity();
        }
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(marker.name().text())
                .addToAnnotations(DirectoryAnnotations.PROVISIONED_BY, of.provisioner())
                .addToAnnotations(DirectoryAnnotations.ROOT, marker.root())
                .addToAnnotations(DirectoryAnnotations.CLAIM_UID, marker.claim().uid())
                .addToAnnotations(marker.node().isEmpty() ? Map.of() : Map.of(DirectoryAnnotations.NODE, marker.node()))
                .withFinalizers(DirectoryAnnotations.FINALIZER)
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }

    /** The volume's path on the nodes, or {@code SERVER:PATH}, as the class parameter {@code assetRoot} is written. */
    static Optional<String> location(PersistentVolume volume) {
        if (volume.getSpec().getHostPath() != null) {
            return Optional.ofNullable(volume.getSpec().getHostPath().getPath());
        }
        if (volume.getSpec().getLocal() != null) {
            return Optional.ofNullable(volume.getSpec().getLocal().getPath());
        }
        if (volume.getSpec().getNfs() != null) {
            String server = String.valueOf(volume.getSpec().getNfs().getServer());
            // The kubelet adds the brackets of an IPv6 address; assetRoot contains them.
            return Optional.of((server.contains(":") ? "[" + server + "]" : server) + ":"
                    + volume.getSpec().getNfs().getPath());
        }
        return Optional.empty();
    }

    /** The phase; empty if Kubernetes has not set it yet. */
    static String phase(PersistentVolume volume) {
        @Nullable
        String phase = volume.getStatus() == null ? null : volume.getStatus().getPhase();
        return phase == null ? "" : phase;
    }
}
