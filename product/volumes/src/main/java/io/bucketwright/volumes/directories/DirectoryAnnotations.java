package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The annotations and the finalizer of claims and volumes: those of Kubernetes, of predecessors, and our own. */
public final class DirectoryAnnotations {

    public static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    public static final String BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
    public static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

    public static final List<String> OWNER_UID =
            List.of("storage.asset/owner-uid", "storage-asset.pv.provisioner/owner-uid");
    public static final List<String> OWNER_GID =
            List.of("storage.asset/owner-gid", "storage-asset.pv.provisioner/owner-gid");
    public static final String RECLAIM_POLICY = "volume.pv.provisioner/reclaim-policy";
    public static final String REUSE_EXISTING = "storage-asset.pv.provisioner/reuse-existing";

    /** The id of the root that contains a volume's directory. */
    public static final String ROOT = "bucketwright.io/directory-root";

    /** The uid of the claim that a volume's directory was created for; the volume may be bound to another claim now. */
    public static final String CLAIM_UID = "bucketwright.io/directory-claim-uid";

    /** The uid of the claim for which owner and mode of a volume's directory were set, if it is not the first claim. */
    public static final String BOUND_CLAIM_UID = "bucketwright.io/directory-bound-claim-uid";

    /** The node whose disk contains a local volume's directory. */
    public static final String NODE = "bucketwright.io/directory-node";

    /** {@code true}: an administrator gave up the volume's directory, because its disk or its node is lost. */
    public static final String ABANDONED = "bucketwright.io/directory-abandoned";

    private DirectoryAnnotations() {}

    /** The value of the first key that is present. */
    public static Optional<String> first(HasMetadata object, List<String> keys) {
        Map<String, String> annotations = Metadata.annotations(object);
        return keys.stream()
                .flatMap(key -> Stream.ofNullable(annotations.get(key)))
                .findFirst();
    }

    public static boolean isAbandoned(PersistentVolume volume) {
        return Metadata.annotation(volume, ABANDONED).equals("true");
    }

    /** Whether this provisioner created the volume, for a class that it serves and a disk that this process has. */
    public static boolean isServed(PersistentVolume volume, DirectorySettings settings) {
        return isServedOnAnyNode(volume, settings)
                && Metadata.annotation(volume, NODE).equals(settings.node());
    }

    /** Whether the volume's claim may be in the namespace that this process serves; another process may have another root. */
    public static boolean isInServedNamespace(PersistentVolume volume, DirectorySettings settings) {
        return Optional.ofNullable(volume.getSpec().getClaimRef())
                .map(ObjectReference::getNamespace)
                .map(settings::servesNamespace)
                .orElse(true);
    }

    /** Whether this provisioner created the volume, for a class that it serves, on any disk. */
    public static boolean isServedOnAnyNode(PersistentVolume volume, DirectorySettings settings) {
        String provisioner = Metadata.annotation(volume, PROVISIONED_BY);
        return !provisioner.isEmpty()
                && settings.servesClass(String.valueOf(volume.getSpec().getStorageClassName()), provisioner)
                && !Metadata.annotation(volume, ROOT).isEmpty();
    }
}
