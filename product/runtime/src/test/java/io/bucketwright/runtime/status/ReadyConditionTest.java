package io.bucketwright.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReadyConditionTest {

    private static final Instant BEFORE = Instant.parse("2026-11-15T10:00:00Z");
    private static final Instant NOW = Instant.parse("2026-11-15T11:00:00.5Z");

    private final ReadyCondition bound = ReadyCondition.ready("Bound", "Bucket b is ready.");
    private final ConfigMap object = object(3);
    private final List<Condition> shown = bound.replaceIn(null, object, BEFORE);

    private static ConfigMap object(long generation) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("o")
                .withGeneration(generation)
                .endMetadata()
                .build();
    }

    @Test
    void aNewConditionBeginsNow() {
        Condition condition = bound.toCondition(null, object, NOW);
        assertThat(condition.getType()).isEqualTo("Ready");
        assertThat(condition.getStatus()).isEqualTo("True");
        assertThat(condition.getReason()).isEqualTo("Bound");
        assertThat(condition.getMessage()).isEqualTo("Bucket b is ready.");
        assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-15T11:00:00Z");
        assertThat(condition.getObservedGeneration()).isEqualTo(3);
    }

    @Test
    void theTransitionTimeChangesOnlyWithTheStatus() {
        ReadyCondition other = ReadyCondition.ready("BoundWithWarning", "Quota is not enforced.");
        assertThat(other.toCondition(shown, object, NOW).getLastTransitionTime())
                .isEqualTo(BEFORE.toString());
        ReadyCondition failed = ReadyCondition.notReady("StoreDenied", "No.");
        assertThat(failed.toCondition(shown, object, NOW).getLastTransitionTime())
                .isEqualTo("2026-11-15T11:00:00Z");
    }

    @Test
    void aWriteIsNeededWhenStatusReasonMessageOrGenerationDiffer() {
        assertThat(bound.isReportedIn(shown, object)).isTrue();
        assertThat(bound.isReportedIn(shown, object(4))).isFalse();
        assertThat(bound.isReportedIn(shown)).isTrue();
        assertThat(bound.isReportedIn(null, object)).isFalse();
        assertThat(ReadyCondition.notReady("Bound", "Bucket b is ready.").isReportedIn(shown, object))
                .isFalse();
        assertThat(ReadyCondition.ready("Other", "Bucket b is ready.").isReportedIn(shown, object))
                .isFalse();
        assertThat(ReadyCondition.ready("Bound", "other").isReportedIn(shown, object))
                .isFalse();
        assertThat(ReadyCondition.ready("Bound", "other").varying().isReportedIn(shown, object))
                .isTrue();
    }

    @Test
    void theMessageOfARetriedProblemIsNoReasonToWrite() {
        assertThat(ReadyCondition.of(Problem.retryable("Busy", "m")).messageVaries())
                .isTrue();
        assertThat(ReadyCondition.of(Problem.requiresChange("Invalid", "m")).messageVaries())
                .isFalse();
    }

    @Test
    void conditionsOfOtherTypesStay() {
        Condition other = new ConditionBuilder().withType("Progressing").build();
        List<Condition> all =
                ReadyCondition.notReady("Failed", "m").replaceIn(List.of(shown.getFirst(), other), object, NOW);
        assertThat(all).extracting(Condition::getType).containsExactly("Progressing", "Ready");
        assertThat(ReadyCondition.find(all).map(Condition::getReason)).contains("Failed");
    }

    @Test
    void aProblemThatRequiresAChangeStallsTheObject() {
        ReadyCondition stalled = ReadyCondition.of(Problem.requiresChange("Invalid", "m"));
        List<Condition> all = stalled.replaceIn(shown, object, NOW);
        assertThat(all).extracting(Condition::getType).containsExactly("Stalled", "Ready");
        assertThat(all).extracting(Condition::getReason).containsOnly("Invalid");
        assertThat(stalled.isReportedIn(all, object)).isTrue();
        assertThat(stalled.isReportedIn(all.subList(1, 2), object))
                .as("written by a release without Stalled")
                .isFalse();
        assertThat(ReadyCondition.of(Problem.retryable("Invalid", "m")).isReportedIn(all, object))
                .isFalse();
        assertThat(bound.replaceIn(all, object, NOW))
                .extracting(Condition::getType)
                .containsExactly("Ready");
    }
}
