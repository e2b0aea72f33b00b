package io.bucketwright.cosi.adapter;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.runtime.client.ObjectReader;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Optional;

/**
 * Compares the Secret that a pod names in its volume with the Secret of its access. The kubelet sends the data of the
 * Secret, not its name, so the pod is read.
 */
record AccessSecretCheck(ObjectReader objects) {

    /**
     * What is wrong, or nothing. Access as a ServiceAccount has no Secret.
     *
     * @param request the Bound request that the volume names
     */
    Optional<String> violation(PublishRequest publication, BucketAccessRequest request) {
        if (!request.getSpec().serviceAccountName().isEmpty()) {
            return Optional.empty();
        }
        Optional<BucketAccess> access =
                objects.read(BucketAccess.class, "", request.getSpec().bucketAccessName());
        if (access.isEmpty()) {
            return Optional.of("The BucketAccess of BucketAccessRequest " + publication.shownName()
                    + " does not exist. Delete the request and create it again.");
        }
        String needed = access.get().getSpec().applicationSecretName();
        String given = given(publication);
        if (given.equals(needed)) {
            return Optional.empty();
        }
        return Optional.of(
                "The nodePublishSecretRef of volume " + publication.target().volume() + " in pod "
                        + publication.namespace() + "/" + publication.pod() + " must name Secret " + needed
                        + ", which has the credentials of BucketAccessRequest " + publication.shownName() + ", "
                        + (given.isEmpty() ? "and is not set." : "and names " + given + "."));
    }

    private String given(PublishRequest publication) {
        return objects.read(Pod.class, publication.namespace(), publication.pod()).stream()
                .filter(pod ->
                        publication.target().pod().equals(pod.getMetadata().getUid()))
                .flatMap(pod -> pod.getSpec().getVolumes().stream())
                .filter(volume -> volume.getName().equals(publication.target().volume()))
                .flatMap(volume -> name(volume).stream())
                .findFirst()
                .orElse("");
    }

    private static Optional<String> name(Volume volume) {
        return Optional.ofNullable(volume.getCsi())
                .flatMap(csi -> Optional.ofNullable(csi.getNodePublishSecretRef()))
                .flatMap(reference -> Optional.ofNullable(reference.getName()));
    }
}
