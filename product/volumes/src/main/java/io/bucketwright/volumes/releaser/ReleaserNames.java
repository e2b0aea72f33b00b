package io.bucketwright.volumes.releaser;

/** Labels and annotations of volumes, StorageClasses and scrub objects. */
public final class ReleaserNames {

    private static final String PREFIX = "reclaimable-pv-releaser.kubernetes.io/";

    /** Label of a volume: the id of the releaser that manages it. */
    public static final String MANAGED_BY = PREFIX + "managed-by";

    /** The label key that the code of reclaimable-pv-releaser wrote, unlike its documentation. Read, never written. */
    public static final String LEGACY_MANAGED_BY = "reclaimable-pv-releaser/managed-by";

    /** Annotation of a class: the id of the releaser that manages all volumes of the class. */
    public static final String CONTROLLER_ID = PREFIX + "controller-id";

    /** Annotation of a class or volume: the {@link ReleaseMode}. */
    public static final String MODE = PREFIX + "mode";

    /** Annotation of a class or volume: the image of the scrub pod. */
    public static final String SCRUB_IMAGE = PREFIX + "scrub-image";

    /** Annotation of a class or volume: {@link ScrubPodOptions}. */
    public static final String SCRUB_POD = PREFIX + "scrub-pod";

    /** Annotation of a volume: the releaser added the label, for the claim with this uid. */
    static final String ASSOCIATED = PREFIX + "associated-claim";

    /** Annotation of a volume: the namespace in which it is used, see {@link FormerNamespace}. */
    static final String NAMESPACE = PREFIX + "claim-namespace-uid";

    /** Annotation of a volume: the claim it had before its successor, see {@link RecordedClaim}. */
    static final String FORMER_CLAIM = PREFIX + "former-claim";

    /** Annotation of a volume and of the objects that scrub it: why it is being scrubbed, see {@link RecordedClaim}. */
    static final String SCRUB = PREFIX + "scrub";

    /** Annotation of a volume: the volume is empty, only the scrub objects must be deleted. */
    static final String SCRUBBED = PREFIX + "scrubbed";

    /** Label of scrub objects: the id of the releaser. */
    static final String SCRUB_FOR = PREFIX + "scrub-for";

    /** Annotations of scrub objects: name and uid of the volume. */
    static final String SCRUB_VOLUME = PREFIX + "scrub-volume";

    static final String SCRUB_VOLUME_UID = PREFIX + "scrub-volume-uid";

    /** Annotation of Kubernetes: the binder chose the claim, not a user. */
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private ReleaserNames() {}
}
