package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The status of a claim or an ObjectBucket. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BucketStatus(
        @JsonPropertyDescription("The phase: Pending, Bound, Released or Failed.") @Pattern(Phase.PATTERN) @Nullable
        String phase,

        @JsonPropertyDescription(
                "The conditions of the object. Ready reports whether the bucket can be used, and why not.")
        @SchemaNullable
        @Nullable
        List<Condition> conditions,

        @JsonPropertyDescription("The generation of the object that this status describes.") @Nullable
        Long observedGeneration,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    public BucketStatus {
        conditions = JsonValues.compact(conditions);
        unknown = JsonValues.unknown(unknown);
    }

    public static BucketStatus of(Phase phase, List<Condition> conditions, long observedGeneration) {
        return new BucketStatus(phase.text(), conditions, observedGeneration, Map.of());
    }

    /** The condition of that type, if there is one. */
    public Optional<Condition> condition(String type) {
        return Optional.ofNullable(conditions).stream()
                .flatMap(List::stream)
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    /** Changes the status and keeps unknown fields. */
    public BucketStatus with(Phase newPhase, List<Condition> newConditions, long newObservedGeneration) {
        return new BucketStatus(newPhase.text(), newConditions, newObservedGeneration, unknown);
    }
}
