package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Phase, message and conditions of an object. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CosiStatus(
        @JsonPropertyDescription(
                "The phase of the object. A phase that begins with Err is an error and names its cause.")
        @Pattern("^[A-Z][A-Za-z]*$")
        @EmptyIfAbsent
        String phase,

        @JsonPropertyDescription("The reason for the phase, and what to do.") @EmptyIfAbsent
        String message,

        @JsonPropertyDescription("The conditions of the object.") @EmptyIfAbsent
        List<Condition> conditions,

        @JsonPropertyDescription("The generation of the spec that this status is about.") @Nullable
        Long observedGeneration) {
    /** Of an object without a status. */
    public static final CosiStatus NONE = new CosiStatus("", "", List.of(), null);

    /** The condition of that type, if there is one. */
    public Optional<Condition> condition(String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }
}
