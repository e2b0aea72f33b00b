package io.bucketwright.volumes.releaser;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/** What volumes, classes and helpers of a scrub carry. */
public final class Marks {

    private static final String PREFIX = "reclaimable-pv-releaser.kubernetes.io/";

    /** Label of volumes: the id of the releaser that a volume belongs to. */
    public static final String MANAGED_BY = PREFIX + "managed-by";

    /** The same label as the predecessor's code spelt it, against its own documentation. Read, never written. */
    public static final String MANAGED_BY_OF_OLD = "reclaimable-pv-releaser/managed-by";

    /** Annotation of classes: the id of the releaser that all volumes of the class belong to. */
    public static final String CONTROLLER_ID = PREFIX + "controller-id";

    /** Annotation of classes and volumes: how they are released. */
    public static final String MODE = PREFIX + "mode";

    /** Annotation of classes and volumes: the image of the pod that empties a volume. */
    public static final String SCRUB_IMAGE = PREFIX + "scrub-image";

    /** Annotation of volumes: the label is ours, put there for the claim with this uid. */
    static final String ASSOCIATED = PREFIX + "associated-claim";

    /** Annotation of volumes: being emptied, see {@link ScrubMark}. */
    static final String SCRUB = PREFIX + "scrub";

    /** Annotation of volumes: empty, only the helpers must still go. */
    static final String SCRUBBED = PREFIX + "scrubbed";

    /** Label of the helpers of a scrub: the id of the releaser. */
    static final String SCRUB_FOR = PREFIX + "scrub-for";

    /** Annotations of the helpers of a scrub: which volume. */
    static final String SCRUB_VOLUME = PREFIX + "scrub-volume";

    static final String SCRUB_VOLUME_UID = PREFIX + "scrub-volume-uid";

    /** Kubernetes' own: the binder chose the claim, not a person. */
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private Marks() {}

    static String label(HasMetadata object, String key) {
        return Optional.ofNullable(object.getMetadata().getLabels())
                .map(labels -> labels.get(key))
                .orElse("");
    }

    static String annotation(HasMetadata object, String key) {
        return annotations(object).getOrDefault(key, "");
    }

    static Map<String, String> annotations(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getAnnotations()).orElse(Map.of());
    }
}
