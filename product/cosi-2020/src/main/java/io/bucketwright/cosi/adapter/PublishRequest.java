package io.bucketwright.cosi.adapter;

import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.store.errors.InputText;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What kubelet asks for, checked.
 *
 * @param namespace of the pod; kubelet says so, not the pod
 * @param pod its name; kubelet says so too
 * @param accessRequest the BucketAccessRequest that the pod names
 * @param group that may read the files, if the pod has one
 * @param secrets what the application's Secret holds
 */
record PublishRequest(
        TargetPath target,
        String namespace,
        String pod,
        String accessRequest,
        OptionalInt group,
        Map<String, String> secrets) {

    /** The one attribute that a pod sets. */
    static final String ACCESS_REQUEST = "bucketAccessRequestName";

    private static final String POD_NAMESPACE = "csi.storage.k8s.io/pod.namespace";
    private static final String POD_NAME = "csi.storage.k8s.io/pod.name";
    private static final String EPHEMERAL = "csi.storage.k8s.io/ephemeral";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    PublishRequest {
        secrets = Map.copyOf(secrets);
    }

    /** @throws IllegalArgumentException if anything is missing or wrong */
    static PublishRequest of(NodePublishVolumeRequest request, Path pods) {
        Map<String, String> context = request.getVolumeContextMap();
        if (!"true".equals(context.get(EPHEMERAL))) {
            throw new IllegalArgumentException("Only inline volumes of a pod are served.");
        }
        if (!request.getVolumeCapability().hasMount()) {
            throw new IllegalArgumentException("Only volumes that are mounted are served, not block devices.");
        }
        if (!request.getReadonly()) {
            throw new IllegalArgumentException(
                    "The volume must be read-only: set readOnly: true in the csi section of the pod's volume.");
        }
        String namespace = context.getOrDefault(POD_NAMESPACE, "");
        String pod = context.getOrDefault(POD_NAME, "");
        if (!NAME.matcher(namespace).matches() || !NAME.matcher(pod).matches()) {
            throw new IllegalArgumentException("kubelet did not send namespace and name of the pod: the CSIDriver needs"
                    + " podInfoOnMount: true.");
        }
        String name = context.getOrDefault(ACCESS_REQUEST, "");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The volume attribute " + ACCESS_REQUEST
                    + " must name a BucketAccessRequest of the pod's namespace, not " + InputText.quote(name)
                    + ".");
        }
        return new PublishRequest(
                TargetPath.of(request.getTargetPath(), pods),
                namespace,
                pod,
                name,
                group(request.getVolumeCapability().getMount().getVolumeMountGroup()),
                request.getSecretsMap());
    }

    private static OptionalInt group(String text) {
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseUnsignedInt(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("The pod's fsGroup " + InputText.quote(text) + " is no number.", e);
        }
    }

    String shownName() {
        return namespace + "/" + accessRequest;
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "Publication[" + target + ", " + shownName() + "]";
    }
}
