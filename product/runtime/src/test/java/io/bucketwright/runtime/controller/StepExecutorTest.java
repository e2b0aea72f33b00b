package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.testing.Fault;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepExecutorTest {

    private record Ask(String question) implements Step.Call {}

    private static final ConfigMap OBJECT = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .withUid("u1")
            .endMetadata()
            .build();
    private static final Problem BUSY = Problem.retryable("Busy", "The store is busy.");

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final InMemoryProcess process = new InMemoryProcess(server, new ManualTime(), new ManualLeadership());
    private final ControllerContext context = process.context();
    private final StepExecutor<String, Ask> executor = new StepExecutor<>(
            context.writer(),
            context.events(),
            context.inFlight(""),
            Ask.class,
            (key, ask) -> Outcome.finish(Result.retry(key + " asks " + ask.question())));

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aProblemIsReportedOnceAndEndsTheReconciliation() {
        Step report = new Step.Report(OBJECT, "Bind", BUSY);
        assertThat(act(report)).isEqualTo(Outcome.finish(BUSY.result()));
        assertThat(act(report)).isEqualTo(Outcome.finish(BUSY.result()));
        act(new Step.Report(OBJECT, "Bind", Problem.requiresChange("Invalid", "No."), Result.done()));
        assertThat(reported()).containsExactly("Busy", "Invalid");
    }

    @Test
    void aWriteIsOneRequestAndReportedWhenItTookEffect() {
        act(new Step.Write("Create", OBJECT, new Step.Create()));
        ConfigMap created = current();
        act(new Step.Write("Patch", created, new Step.Patch(JsonPatch.empty().add("/data", Map.of("a", "1")))));
        act(new Step.Write("Merge", current(), new Step.Merge(Map.of("data", Map.of("b", "2")))));
        assertThat(current().getData()).isEqualTo(Map.of("a", "1", "b", "2"));
        act(new Step.Write("Report", current(), new Step.MergeStatus(Map.of("c", "3"))));
        assertThat(current().getAdditionalProperties()).containsEntry("status", Map.of("c", "3"));
        assertThatThrownBy(() -> act(new Step.Write("Delete", created, new Step.Delete())))
                .isInstanceOf(ApiException.class);
        act(new Step.Write("Release", created, new Step.DeleteAnyVersion())
                .reporting(new Step.Event(false, "Released", "Release", "Released.")));
        act(new Step.Write("Create", OBJECT, new Step.Create()));
        act(new Step.Write("Delete", current(), new Step.Delete()));
        assertThat(server.list(ConfigMap.class)).isEmpty();
        assertThat(process.writes()).hasSize(8);
        assertThat(reported()).containsExactly("Released");
    }

    @Test
    void aRejectionIsReportedOnceInsteadOfTheEventAndRetried() {
        Step.Write write = new Step.Write("Release", OBJECT, new Step.Create());
        process.faults(() -> Fault.CREATION_REFUSED);
        assertThatThrownBy(() -> act(write)).isInstanceOf(ApiException.class);
        Step reported = write.reporting(new Step.Event(false, "Released", "Release", "Released."))
                .reporting(new Step.Rejection(OBJECT, "ReleaseFailed", "Release", "Not released. "));
        for (int i = 0; i < 2; i++) {
            assertThat(act(reported))
                    .isEqualTo(Outcome.finish(Result.retry("Creating configmaps ns/a: exceeded quota")));
        }
        assertThat(reported()).containsExactly("ReleaseFailed");
    }

    @Test
    void aCallIsTheControllersOwn() {
        assertThat(act(new Ask("why"))).isEqualTo(Outcome.finish(Result.retry("a asks why")));
    }

    private Outcome act(Step step) {
        try {
            return executor.act("a", step);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private ConfigMap current() {
        return server.get(ConfigMap.class, "ns", "a").orElseThrow();
    }

    private List<String> reported() {
        return process.events().stream().map(Event::getReason).toList();
    }
}
