package io.bucketwright.volumes.directories.objects;

import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** The node whose disk contains a local volume's directory. */
    public static final String NODE = "bucketwright.io/directory-node";

    private DirectoryAnnotations() {}

    public static Optional<String> annotation(HasMetadata object, String key) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(key));
    }

    /** The value of the first key that is present. */
    public static Optional<String> annotation(HasMetadata object, List<String> keys) {
        return keys.stream().flatMap(key -> annotation(object, key).stream()).findFirst();
    }

    /** Whether this provisioner created the volume, for a class that it serves and a disk that this process has. */
    public static boolean isServed(PersistentVolume volume, DirectorySettings settings) {
        return annotation(volume, PROVISIONED_BY)
                        .filter(provisioner -> settings.servesClass(
                                String.valueOf(volume.getSpec().getStorageClassName()), provisioner))
                        .isPresent()
                && annotation(volume, ROOT).isPresent()
                && annotation(volume, NODE).orElse("").equals(settings.node());
    }

    public static boolean isBeingDeleted(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /** Text of another author, safe for a message. */
    public static String quoted(String text) {
        String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
        return "\"" + (clean.length() > 60 ? clean.substring(0, 60) + "…" : clean) + "\"";
    }
}
