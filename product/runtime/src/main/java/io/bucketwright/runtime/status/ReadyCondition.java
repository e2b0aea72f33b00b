package io.bucketwright.runtime.status;

import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Recovery;
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
 * The condition {@code Ready} that an object should have, and with it {@code Stalled}: tools that follow kstatus, such as
 * Flux, take an object that is not ready for one in progress, unless that condition is True.
 *
 * @param reason one word in CamelCase
 * @param informational whether it reports progress, so that no action is needed
 * @param messageVaries whether the message can differ from attempt to attempt; another message alone is then no reason to
 *     write the status
 * @param stalled whether the object does not become ready before somebody changes something
 */
public record ReadyCondition(
        boolean ready, String reason, String message, boolean informational, boolean messageVaries, boolean stalled) {

    public static final String TYPE = "Ready";

    /** Present, and then True, only while the object is stalled. Has reason and message of Ready. */
    public static final String STALLED = "Stalled";

    private static final String TRUE = "True";

    public ReadyCondition {
        if (ready && stalled) {
            throw new IllegalArgumentException("An object that is ready is not stalled: " + reason);
        }
    }

    public static ReadyCondition ready(String reason, String message) {
        return new ReadyCondition(true, reason, message, true, false, false);
    }

    public static ReadyCondition notReady(String reason, String message) {
        return new ReadyCondition(false, reason, message, false, false, false);
    }

    /** Not ready until somebody changes something. */
    public static ReadyCondition stalled(String reason, String message) {
        return new ReadyCondition(false, reason, message, false, false, true);
    }

    /** Not ready because of the problem; while the controller retries, the message can vary. */
    public static ReadyCondition of(Problem problem) {
        return new ReadyCondition(
                false,
                problem.reason(),
                problem.message(),
                false,
                problem.isRetried(),
                problem.recovery() != Recovery.RETRY);
    }

    /** The same, informational or a warning. */
    public ReadyCondition informational(boolean value) {
        return new ReadyCondition(ready, reason, message, value, messageVaries, stalled);
    }

    /** The same, with a message that can differ from attempt to attempt. */
    public ReadyCondition varying() {
        return new ReadyCondition(ready, reason, message, informational, true, stalled);
    }

    /** {@code True} or {@code False}. */
    public String status() {
        return ready ? TRUE : "False";
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
                        && (messageVaries || message.equals(shown.getMessage()))
                        && stalled == isStalled(conditions))
                .isPresent();
    }

    private static boolean isStalled(@Nullable Collection<Condition> conditions) {
        return stream(conditions)
                .anyMatch(condition -> STALLED.equals(condition.getType()) && TRUE.equals(condition.getStatus()));
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
        return toCondition(TYPE, status(), conditions, object, now);
    }

    private Condition toCondition(
            String type, String status, @Nullable Collection<Condition> conditions, HasMetadata object, Instant now) {
        String since = stream(conditions)
                .filter(shown -> type.equals(shown.getType()) && status.equals(shown.getStatus()))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .withObservedGeneration(object.getMetadata().getGeneration())
                .build();
    }

    /** The conditions of the object with these in place of its former ones, other types unchanged, as a new list. */
    public List<Condition> replaceIn(@Nullable Collection<Condition> conditions, HasMetadata object, Instant now) {
        Stream<Condition> others = stream(conditions)
                .filter(condition -> !TYPE.equals(condition.getType()) && !STALLED.equals(condition.getType()));
        Stream<Condition> stall =
                stalled ? Stream.of(toCondition(STALLED, TRUE, conditions, object, now)) : Stream.empty();
        return Stream.of(others, stall, Stream.of(toCondition(conditions, object, now)))
                .flatMap(found -> found)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static Stream<Condition> stream(@Nullable Collection<Condition> conditions) {
        return conditions == null ? Stream.empty() : conditions.stream();
    }
}
