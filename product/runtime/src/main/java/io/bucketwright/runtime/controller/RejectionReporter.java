package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.events.EventRecorder;

/**
 * Reports by an event on the object of a write that the API server rejects it: a permission, a quota, an admission policy or a
 * schema, which people must change. For writes whose controller has no report of its own; the log alone tells nobody.
 */
public record RejectionReporter<K>(Reconciler<K> reconciler, EventRecorder events) implements Reconciler<K> {

    @Override
    public Result reconcile(K key) throws InterruptedException {
        try {
            return reconciler.reconcile(key);
        } catch (ApiException e) {
            if (e.error() instanceof ApiError.Forbidden || e.error() instanceof ApiError.Invalid) {
                e.written()
                        .ifPresent(object -> events.warning(
                                object,
                                Problem.WRITE_REJECTED,
                                "Write",
                                e.error().message()));
            }
            throw e;
        }
    }
}
