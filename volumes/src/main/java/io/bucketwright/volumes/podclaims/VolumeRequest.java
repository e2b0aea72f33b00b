package io.bucketwright.volumes.podclaims;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a pod says about one of its volumes.
 *
 * @param enabled as written
 * @param template as written, empty if it was not
 * @param place what the pod's spec has under that name
 */
record VolumeRequest(String volume, String enabled, String template, Place place) {

    /** What a pod's spec has under a volume's name. */
    sealed interface Place {

        /** Nothing. */
        record Missing() implements Place {}

        /** A volume that is no claim. */
        record OtherKind() implements Place {}

        /**
         * A claim.
         *
         * @param sharedWith an earlier volume of this pod that asks for the same claim; empty if there is none
         */
        record Claim(String name, String sharedWith) implements Place {}
    }

    // What Go's ParseBool takes: the predecessor's pods may be written so.
    private static final Set<String> YES = Set.of("true", "True", "TRUE", "t", "T", "1");
    private static final Set<String> NO = Set.of("false", "False", "FALSE", "f", "F", "0");

    /** The volumes that the pod's annotations speak of, in the order of their names. */
    static List<String> volumes(Pod pod) {
        return annotations(pod).keySet().stream()
                .filter(key -> key.startsWith(Marks.PREFIX) && key.endsWith(Marks.ENABLED))
                .map(key -> key.substring(Marks.PREFIX.length(), key.length() - Marks.ENABLED.length()))
                .sorted()
                .toList();
    }

    /** Empty if the pod says nothing about that volume. */
    static Optional<VolumeRequest> of(Pod pod, String volume) {
        Map<String, String> annotations = annotations(pod);
        return Optional.ofNullable(annotations.get(Marks.PREFIX + volume + Marks.ENABLED))
                .map(enabled -> new VolumeRequest(
                        volume,
                        enabled.strip(),
                        Optional.ofNullable(annotations.get(Marks.PREFIX + volume + Marks.TEMPLATE))
                                .orElse(""),
                        place(pod, volume)));
    }

    /** The names of the claims that the pod's volumes mention. */
    static List<String> claimNames(Pod pod) {
        return volumesOf(pod)
                .map(VolumeRequest::claimName)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    boolean isOn() {
        return YES.contains(enabled);
    }

    boolean isOff() {
        return NO.contains(enabled);
    }

    private static Place place(Pod pod, String volume) {
        Optional<Volume> found =
                volumesOf(pod).filter(it -> volume.equals(it.getName())).findFirst();
        if (found.isEmpty()) {
            return new Place.Missing();
        }
        String claim = claimName(found.get());
        if (claim.isEmpty()) {
            return new Place.OtherKind();
        }
        Map<String, String> annotations = annotations(pod);
        String earlier = volumesOf(pod)
                .takeWhile(it -> !volume.equals(it.getName()))
                .filter(it -> claim.equals(claimName(it)))
                .map(Volume::getName)
                .filter(name -> YES.contains(annotations.getOrDefault(Marks.PREFIX + name + Marks.ENABLED, "")))
                .findFirst()
                .orElse("");
        return new Place.Claim(claim, earlier);
    }

    private static String claimName(Volume volume) {
        return volume.getPersistentVolumeClaim() == null
                ? ""
                : Optional.ofNullable(volume.getPersistentVolumeClaim().getClaimName())
                        .orElse("");
    }

    private static Stream<Volume> volumesOf(Pod pod) {
        return Optional.ofNullable(pod.getSpec()).map(PodSpec::getVolumes).stream()
                .flatMap(Collection::stream);
    }

    private static Map<String, String> annotations(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations()).orElse(Map.of());
    }
}
