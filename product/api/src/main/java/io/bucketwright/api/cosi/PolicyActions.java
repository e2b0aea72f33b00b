package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** The allowed and denied actions of an account, as the provisioner names them. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PolicyActions(
        @JsonPropertyDescription("The allowed actions.") @Size(max = 256) @EmptyIfAbsent
        List<String> allow,

        @JsonPropertyDescription("The denied actions, even if allowed above.") @Size(max = 256) @EmptyIfAbsent
        List<String> deny) {
    public static final PolicyActions NONE = new PolicyActions(List.of(), List.of());
}
