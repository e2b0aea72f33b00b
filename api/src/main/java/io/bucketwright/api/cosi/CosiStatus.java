package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far something has come, and why no further. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CosiStatus(
        @JsonPropertyDescription("Where it stands; a phase that begins with Err says what is in the way.")
        @Pattern("^[A-Z][A-Za-z]*$")
        String phase,

        @JsonPropertyDescription("Why it stands there, and what would help.")
        String message,

        @JsonPropertyDescription("The same for programs.") List<Condition> conditions,

        @JsonPropertyDescription("The generation of the spec that this status speaks of.") @Nullable
        Long observedGeneration) {
    /** Of an object that nobody has written a status for. */
    public static final CosiStatus NONE = new CosiStatus("", "", List.of(), null);

    public CosiStatus {
        phase = Absent.text(phase);
        message = Absent.text(message);
        conditions = Absent.list(conditions);
    }

    /** The condition of that type, if there is one. */
    public Optional<Condition> condition(String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    /** What a kind's status is, whether there is one or not. */
    static CosiStatus of(@Nullable CosiStatus status) {
        return status == null ? NONE : status;
    }
}
