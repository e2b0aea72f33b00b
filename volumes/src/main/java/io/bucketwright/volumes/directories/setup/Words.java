package io.bucketwright.volumes.directories.setup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Annotations, finalizers and reasons, as Kubernetes, the documents and their successors spell them. */
public final class Words {

    public static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    public static final String BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
    public static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";
    public static final String HOSTNAME = "kubernetes.io/hostname";

    public static final List<String> OWNER_UID =
            List.of("storage.asset/owner-uid", "storage-asset.pv.provisioner/owner-uid");
    public static final List<String> OWNER_GID =
            List.of("storage.asset/owner-gid", "storage-asset.pv.provisioner/owner-gid");
    public static final String RECLAIM_POLICY = "volume.pv.provisioner/reclaim-policy";
    public static final String REUSE_EXISTING = "storage-asset.pv.provisioner/reuse-existing";

    /** The identity of the root that a volume's directory is in. */
    public static final String ROOT = "bucketwright.io/directory-root";

    /** The uid of the claim that a volume's directory was made for; the volume may serve another by now. */
    public static final String CLAIM_UID = "bucketwright.io/directory-claim-uid";

    /** The node that a local volume's directory is on. */
    public static final String NODE = "bucketwright.io/directory-node";

    private Words() {}

    public static Optional<String> annotation(HasMetadata object, String key) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(key));
    }

    /** The first of several spellings that is there. */
    public static Optional<String> annotation(HasMetadata object, List<String> keys) {
        return keys.stream().flatMap(key -> annotation(object, key).stream()).findFirst();
    }

    public static boolean isLeaving(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /** What somebody else wrote, fit to stand in a message. */
    public static String quoted(String text) {
        String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
        return "\"" + (clean.length() > 60 ? clean.substring(0, 60) + "…" : clean) + "\"";
    }
}
