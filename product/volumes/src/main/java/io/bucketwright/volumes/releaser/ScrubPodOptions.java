package io.bucketwright.volumes.releaser;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator can set for scrub pods in the annotation {@code scrub-pod}: fields with the names and types that they have
 * in a pod's spec, in YAML or JSON. Other fields are rejected: the releaser decides about security.
 *
 * @param resources of the pod's container
 */
record ScrubPodOptions(
        @JsonProperty("tolerations") @Nullable List<Toleration> tolerations,
        @JsonProperty("imagePullSecrets") @Nullable List<LocalObjectReference> imagePullSecrets,
        @JsonProperty("nodeSelector") @Nullable Map<String, String> nodeSelector,
        @JsonProperty("priorityClassName") @Nullable String priorityClassName,
        @JsonProperty("activeDeadlineSeconds") @Nullable Long activeDeadlineSeconds,
        @JsonProperty("resources") @Nullable ResourceRequirements resources) {

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * Parses the annotation.
     *
     * @param text empty for no options
     * @throws IllegalArgumentException with the problem if the text is invalid
     */
    static ScrubPodOptions parse(String text) {
        if (text.isBlank()) {
            return new ScrubPodOptions(null, null, null, null, null, null);
        }
        try {
            return STRICT.convertValue(Serialization.unmarshal(text, Map.class), ScrubPodOptions.class);
        } catch (RuntimeException e) {
            String message = String.valueOf(e.getMessage());
            throw new IllegalArgumentException(
                    SafeText.line(message.lines().findFirst().orElse(message)), e);
        }
    }
}
