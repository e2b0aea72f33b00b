package io.bucketwright.volumes.podclaims;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;

/**
 * A claim from a pod's annotation, parsed and validated. Labels, annotations and the whole spec are kept; the controller sets
 * name, owner and the label of the managing controller.
 */
record ClaimTemplate(PersistentVolumeClaim claim) {

    private static final ObjectMapper MODEL = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static ClaimTemplate read(String text, String namespace) throws InvalidTemplateException {
        Map<?, ?> content = UntrustedYaml.mapping(text);
        require(content, "apiVersion", "v1");
        require(content, "kind", "PersistentVolumeClaim");
        PersistentVolumeClaim claim;
        try {
            claim = MODEL.convertValue(content, PersistentVolumeClaim.class);
        } catch (IllegalArgumentException e) {
            throw new InvalidTemplateException(
                    "a field has the wrong type: " + SafeText.line(String.valueOf(e.getMessage())));
        }
        if (claim.getSpec() == null) {
            throw new InvalidTemplateException("it has no spec");
        }
        if (claim.getMetadata() == null) {
            claim.setMetadata(new ObjectMeta());
        }
        String wanted = Optional.ofNullable(claim.getMetadata().getNamespace()).orElse("");
        if (!wanted.isEmpty() && !wanted.equals(namespace)) {
            throw new InvalidTemplateException("it has the namespace \"" + SafeText.line(wanted)
                    + "\", but a claim is created in its pod's namespace " + namespace + "; leave the namespace out");
        }
        if (!Metadata.finalizers(claim).isEmpty()) {
            throw new InvalidTemplateException("it has finalizers, which would keep the claim when its pod is deleted");
        }
        return new ClaimTemplate(claim);
    }

    /** The claim to create for that pod. */
    PersistentVolumeClaim claimFor(Pod pod, String name, ControllerId id) {
        ObjectMeta own = new ObjectMetaBuilder()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Metadata.labels(claim))
                .addToLabels(PodClaimAnnotations.MANAGED_BY, id.value())
                .withAnnotations(Metadata.annotations(claim))
                .withOwnerReferences(Metadata.ownerReference(pod))
                .build();
        return new PersistentVolumeClaimBuilder(claim)
                .withMetadata(own)
                .withStatus(null)
                .build();
    }

    private static void require(Map<?, ?> content, String field, String value) throws InvalidTemplateException {
        Object actual = content.get(field);
        if (!value.equals(actual)) {
            throw new InvalidTemplateException(field + " must be " + value
                    + (actual == null ? ", and is missing" : ", not \"" + SafeText.line(actual.toString()) + "\""));
        }
    }
}
