package io.bucketwright.volumes.podclaims;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A claim as a pod's author wrote it, read and judged. Labels, annotations and the whole spec pass through; name, owner and
 * the label that says who manages it are ours to set.
 */
record ClaimTemplate(ObjectMeta metadata, PersistentVolumeClaim claim) {

    private static final ObjectMapper MODEL = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static ClaimTemplate read(String text, String namespace) throws UnreadableException {
        Map<?, ?> content = HostileText.mapping(text);
        require(content, "apiVersion", "v1");
        require(content, "kind", "PersistentVolumeClaim");
        PersistentVolumeClaim claim;
        try {
            claim = MODEL.convertValue(content, PersistentVolumeClaim.class);
        } catch (IllegalArgumentException e) {
            throw new UnreadableException(
                    "a field has the wrong type: " + Printable.of(String.valueOf(e.getMessage())));
        }
        if (claim.getSpec() == null) {
            throw new UnreadableException("it has no spec");
        }
        ObjectMeta metadata = Optional.ofNullable(claim.getMetadata()).orElseGet(ObjectMeta::new);
        String wanted = Optional.ofNullable(metadata.getNamespace()).orElse("");
        if (!wanted.isEmpty() && !wanted.equals(namespace)) {
            throw new UnreadableException("it names the namespace \"" + Printable.of(wanted)
                    + "\", but a claim is made in its pod's namespace " + namespace + "; leave the namespace out");
        }
        if (!Optional.ofNullable(metadata.getFinalizers()).orElse(List.of()).isEmpty()) {
            throw new UnreadableException("it has finalizers, which would keep the claim when its pod goes");
        }
        return new ClaimTemplate(metadata, claim);
    }

    /** The claim to make for that pod. */
    PersistentVolumeClaim claimFor(Pod pod, String name, ControllerId id) {
        ObjectMeta made = new ObjectMetaBuilder()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Optional.ofNullable(metadata.getLabels()).orElse(Map.of()))
                .addToLabels(Marks.MANAGED_BY, id.value())
                .withAnnotations(Optional.ofNullable(metadata.getAnnotations()).orElse(Map.of()))
                .withOwnerReferences(Marks.ownerReference(pod))
                .build();
        return new PersistentVolumeClaimBuilder(claim)
                .withMetadata(made)
                .withStatus(null)
                .build();
    }

    private static void require(Map<?, ?> content, String field, String value) throws UnreadableException {
        Object actual = content.get(field);
        if (!value.equals(actual)) {
            throw new UnreadableException(field + " must be " + value
                    + (actual == null ? ", and is not there" : ", not \"" + Printable.of(actual.toString()) + "\""));
        }
    }
}
