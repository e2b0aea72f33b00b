package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.events.EventRecorder;

/**
 * Carries out the steps of one controller.
 *
 * @param states remembers what was reported
 * @param type the controller's calls, which it carries out itself
 */
public record StepExecutor<K, C extends Step.Call>(
        ApiWriter writer, EventRecorder events, InFlightState<K, ?> states, Class<C> type, KeyedAction<K, C> calls)
        implements KeyedAction<K, Step> {

    @Override
    public Outcome act(K key, Step step) throws InterruptedException {
        try {
            return switch (step) {
                case Step.Call call -> calls.act(key, type.cast(call));
                case Step.Report report -> report(key, report);
                case Step.Write write -> {
                    write.send(writer);
                    write.event().ifPresent(event -> event.send(events, write.object()));
                    yield Outcome.progress();
                }
            };
        } catch (ApiException e) {
            boolean rejected = e.error() instanceof ApiError.Forbidden
                    || e.error() instanceof ApiError.Invalid
                    || e.error() instanceof ApiError.AlreadyExists;
            // Other errors are transient, or caused by a change that triggers another reconciliation.
            Step.Rejection report = step.rejection().filter(_ -> rejected).orElseThrow(() -> e);
            return report(key, report.report(e.error()));
        }
    }

    private Outcome report(K key, Step.Report report) {
        Problem problem = report.problem();
        if (states.report(key, problem)) {
            events.warning(report.object(), problem.reason(), report.action(), problem.message());
        }
        return Outcome.finish(report.result());
    }
}
