package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.EventSink;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.client.Transport;
import io.bucketwright.runtime.client.WriteListener;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.queue.Backoff;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class StepExecutorTest {

    private record Ask(String question) implements Step.Call {}

    private static final JsonCodec CODEC = new JsonCodec(LenientValues.mapper());
    private static final ConfigMap OBJECT = TestObjects.configMap("a", "u1", "10");
    private static final Problem BUSY = Problem.retryable("Busy", "The store is busy.");

    private final List<String> requests = new ArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private boolean forbidden;
    private final ManualTime time = new ManualTime();
    private final EventRecorder recorder =
            new EventRecorder("test", "test", new Events(), time, new SimpleMeterRegistry());
    private final StepExecutor<String, Ask> executor = new StepExecutor<>(
            new ApiWriter(new Server(), new WriteListener() {}),
            recorder,
            new InFlightState<>(new ManualLeadership(), "", Backoff.standard(), time, new Random(1)),
            Ask.class,
            (key, ask) -> Outcome.finish(Result.retry(key + " asks " + ask.question())));

    @Test
    void aProblemIsReportedOnceAndEndsTheReconciliation() throws InterruptedException {
        Step report = new Step.Report(OBJECT, "Bind", BUSY);
        assertThat(executor.act("a", report)).isEqualTo(Outcome.finish(BUSY.result()));
        assertThat(executor.act("a", report)).isEqualTo(Outcome.finish(BUSY.result()));
        executor.act("a", new Step.Report(OBJECT, "Bind", Problem.requiresChange("Invalid", "No."), Result.done()));
        assertThat(written()).containsExactly("Busy", "Invalid");
    }

    @Test
    void aWriteIsOneRequestAndReportedWhenItTookEffect() throws InterruptedException {
        Step.Event done = new Step.Event(false, "Released", "Release", "Released.");
        List.of(
                        new Step.Create(),
                        new Step.Patch(JsonPatch.empty()),
                        new Step.Merge(Map.of()),
                        new Step.MergeStatus(Map.of()),
                        new Step.Delete())
                .forEach(change -> act(new Step.Write("Write", OBJECT, change)));
        act(new Step.Write("Release", OBJECT, new Step.DeleteAnyVersion()).reporting(done));
        assertThat(requests)
                .containsExactly(
                        "POST configmaps application/json",
                        "PATCH a application/json-patch+json",
                        "PATCH a application/merge-patch+json",
                        "PATCH status application/merge-patch+json",
                        "DELETE a application/json",
                        "DELETE a application/json");
        assertThat(written()).containsExactly("Released");
    }

    @Test
    void aRejectionIsReportedOnceInsteadOfTheEventAndRetried() throws InterruptedException {
        Step.Write write = new Step.Write("Release", OBJECT, new Step.Create());
        forbidden = true;
        assertThatThrownBy(() -> act(write)).isInstanceOf(ApiException.class);
        Step reported = write.reporting(new Step.Event(false, "Released", "Release", "Released."))
                .reporting(new Step.Rejection(OBJECT, "ReleaseFailed", "Release", "Not released. "));
        for (int i = 0; i < 2; i++) {
            assertThat(act(reported)).isEqualTo(Outcome.finish(Result.retry("quota")));
        }
        assertThat(written()).containsExactly("ReleaseFailed");
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

    private List<String> written() throws InterruptedException {
        recorder.drain(Duration.ofSeconds(30));
        return events;
    }

    private final class Server implements Transport {
        @Override
        public byte[] send(String what, String method, String path, String contentType, String body) {
            requests.add(method + " " + path.substring(path.lastIndexOf('/') + 1) + " " + contentType);
            if (forbidden) {
                throw new ApiException(new ApiError.Forbidden("quota"));
            }
            return get(what, path);
        }

        @Override
        public byte[] get(String what, String path) {
            return CODEC.encode(OBJECT).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public JsonCodec json() {
            return CODEC;
        }
    }

    private final class Events implements EventSink {
        @Override
        public void create(Event event) {
            events.add(event.getReason());
        }

        @Override
        public void repeat(Event event, EventSeries series) {
            events.add(event.getReason());
        }
    }
}
