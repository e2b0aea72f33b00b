package io.bucketwright.runtime.status;

import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The condition {@code Ready} that an object should have.
 *
 * @param reason one word in CamelCase
 * @param informational whether it reports progress, so that no action is needed
 * @param messageVaries whether the message can differ from attempt to attempt; another message alone is then no reason to
 *     write the status
 */
public record ReadyCondition(
        boolean ready, String reason, String message, boolean informational, boolean messageVaries) {

    public static final String TYPE = "Ready";

    public static ReadyCondition ready(String reason, String message) {
        return new ReadyCondition(true, reason, message, true, false);
    }

    public static ReadyCondition notReady(String reason, String message) {
        return new ReadyCondition(false, reason, message, false, false);
    }

    /** Not ready because of the problem; while the controller retries, the message can vary. */
    public static ReadyCondition of(Problem problem) {
        return new ReadyCondition(false, problem.reason(), problem.message(), false, problem.isRetried());
    }

    /** The same, informational or a warning. */
    public ReadyCondition informational(boolean value) {
        return new ReadyCondition(ready, reason, message, value, messageVaries);
    }

    /** The same, with a message that can differ from attempt to attempt. */
    public ReadyCondition varying() {
        return new ReadyCondition(ready, reason, message, informational, true);
    }

    /** {@code True} or {@code False}. */
    public String status() {
        return ready ? "True" : "False";
    }

    /** The condition {@code Ready} among those of an object. */
    public static Optional<Condition> find(@Nullable Collection<Condition> conditions) {
        return stream(conditions)
                .filter(condition -> TYPE.equals(condition.getType()))
                .findFirst();
    }

    /** Whether the conditions report this already, for whatever generation of the object. */
    public boolean isReportedIn(@Nullable Collection<Condition> conditions) {
        return find(conditions)
                .filter(shown -> status().equals(shown.getStatus())
                        && reason.equals(shown.getReason())
                        && (messageVaries || message.equals(shown.getMessage())))
                .isPresent();
    }

    /** Whether the conditions report this already, for this generation of the object: no write is needed. */
    public boolean isReportedIn(@Nullable Collection<Condition> conditions, HasMetadata object) {
        return isReportedIn(conditions)
                && find(conditions)
                        .map(Condition::getObservedGeneration)
                        .filter(generation ->
                                generation.equals(object.getMetadata().getGeneration()))
                        .isPresent();
    }

    /** The condition to write; it keeps the transition time of one with the same status. */
    public Condition toCondition(@Nullable Collection<Condition> conditions, HasMetadata object, Instant now) {
        String since = find(conditions)
                .filter(shown -> status().equals(shown.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(TYPE)
                .withStatus(status())
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .withObservedGeneration(object.getMetadata().getGeneration())
                .build();
    }

    /** The conditions of the object with this one in place of its former one, other types unchanged, as a new list. */
    public List<Condition> replaceIn(@Nullable Collection<Condition> conditions, HasMetadata object, Instant now) {
        Stream<Condition> others = stream(conditions).filter(condition -> !TYPE.equals(condition.getType()));
        return Stream.concat(others, Stream.of(toCondition(conditions, object, now)))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static Stream<Condition> stream(@Nullable Collection<Condition> conditions) {
        return conditions == null ? Stream.empty() : conditions.stream();
    }
}
