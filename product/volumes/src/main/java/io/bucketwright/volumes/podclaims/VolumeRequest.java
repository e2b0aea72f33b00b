package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a pod requests for one of its volumes.
 *
 * @param enabled the annotation, as written
 * @param template the annotation, as written; empty if there is none
 * @param place what the pod's spec contains under that name
 */
record VolumeRequest(String volume, String enabled, String template, Place place) {

    /** What a pod's spec contains under a volume's name. */
    sealed interface Place {

        /** Nothing. */
        record Missing() implements Place {}

        /** A volume that does not refer to a claim. */
        record OtherKind() implements Place {}

        /**
         * A claim.
         *
         * @param sharedWith an earlier volume of this pod that requests the same claim; empty if there is none
         */
        record Claim(String name, String sharedWith) implements Place {}
    }

    // What Go's ParseBool accepts, as dynamic-pvc-provisioner did.
    private static final Set<String> TRUE_VALUES = Set.of("true", "True", "TRUE", "t", "T", "1");
    private static final Set<String> FALSE_VALUES = Set.of("false", "False", "FALSE", "f", "F", "0");

    /** More volumes of one pod are not served; a tenant could fill the memory of the controller with them. */
    static final int MOST_VOLUMES = 32;

    /** Why no claim is created for the pod, whatever its volumes are. */
    static Optional<Problem> problem(Pod pod) {
        int count = volumes(pod).size();
        return Problem.ofSize(pod)
                .or(() -> count <= MOST_VOLUMES
                        ? Optional.empty()
                        : Optional.of(Problem.requiresChange(
                                Problem.TOO_LARGE,
                                "The annotations of the pod request claims for " + count + " volumes, and at most "
                                        + MOST_VOLUMES + " are allowed. Create other claims without annotations.")));
    }

    /** The volumes named in the pod's annotations, sorted. */
    static List<String> volumes(Pod pod) {
        return Metadata.annotations(pod).keySet().stream()
                .filter(key -> key.startsWith(PodClaimAnnotations.PREFIX) && key.endsWith(PodClaimAnnotations.ENABLED))
                .map(key -> key.substring(
                        PodClaimAnnotations.PREFIX.length(), key.length() - PodClaimAnnotations.ENABLED.length()))
                .sorted()
                .toList();
    }

    /** Empty if the pod has no annotation for that volume. */
    static Optional<VolumeRequest> of(Pod pod, String volume) {
        return Optional.ofNullable(Metadata.annotations(pod)
                        .get(PodClaimAnnotations.PREFIX + volume + PodClaimAnnotations.ENABLED))
                .map(enabled -> new VolumeRequest(
                        volume,
                        enabled.strip(),
                        Metadata.annotation(pod, PodClaimAnnotations.PREFIX + volume + PodClaimAnnotations.TEMPLATE),
                        place(pod, volume)));
    }

    /** The names of the claims that the pod's volumes refer to. */
    static List<String> claimNames(Pod pod) {
        return volumesOf(pod)
                .map(VolumeRequest::claimName)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    boolean isEnabled() {
        return TRUE_VALUES.contains(enabled);
    }

    boolean isDisabled() {
        return FALSE_VALUES.contains(enabled);
    }

    private static Place place(Pod pod, String volume) {
        Optional<Volume> found = volumesOf(pod)
                .filter(candidate -> volume.equals(candidate.getName()))
                .findFirst();
        if (found.isEmpty()) {
            return new Place.Missing();
        }
        String claim = claimName(found.get());
        if (claim.isEmpty()) {
            return new Place.OtherKind();
        }
        String earlier = volumesOf(pod)
                .takeWhile(other -> !volume.equals(other.getName()))
                .filter(other -> claim.equals(claimName(other)))
                .map(Volume::getName)
                .filter(name -> TRUE_VALUES.contains(
                        Metadata.annotation(pod, PodClaimAnnotations.PREFIX + name + PodClaimAnnotations.ENABLED)))
                .findFirst()
                .orElse("");
        return new Place.Claim(claim, earlier);
    }

    private static String claimName(Volume volume) {
        return Optional.ofNullable(volume.getPersistentVolumeClaim())
                .map(PersistentVolumeClaimVolumeSource::getClaimName)
                .orElse("");
    }

    private static Stream<Volume> volumesOf(Pod pod) {
        return Optional.ofNullable(pod.getSpec()).map(PodSpec::getVolumes).stream()
                .flatMap(Collection::stream);
    }

    /** The pod's service account. */
    static String serviceAccount(Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .map(PodSpec::getServiceAccountName)
                .filter(name -> !name.isEmpty())
                .orElse("default");
    }
}
