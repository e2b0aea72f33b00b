package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/** The next step for a key. {@link StepExecutor} carries out writes and reports; a call is the controller's own. */
public sealed interface Step {

    /** Anything but one write and its event, such as a call of a store or a disk. A controller has a sealed type of them. */
    non-sealed interface Call extends Step {}

    /**
     * Reports by a warning event why an object is not reconciled, unless the same problem was reported last, and ends.
     *
     * @param result how reconciling ends
     */
    record Report(HasMetadata object, String action, Problem problem, Result result) implements Step {
        public Report(HasMetadata object, String action, Problem problem) {
            this(object, action, problem, problem.result());
        }
    }

    /** What was done, as an event of the object that was written. */
    record Event(boolean warning, String reason, String action, String note) {
        void send(EventRecorder events, HasMetadata object) {
            if (warning) {
                events.warning(object, reason, action, note);
            } else {
                events.normal(object, reason, action, note);
            }
        }
    }

    /**
     * How it is reported that the API server rejects a request: a permission, a quota, an admission policy or an object of
     * the same name prevents it, and people must act.
     *
     * @param message precedes that of the API server
     */
    record Rejection(HasMetadata about, String reason, String action, String message) {
        Report report(ApiError error) {
            Problem cause = Problem.of(error, reason);
            Problem problem = new Problem(reason, message + cause.message(), cause.recovery());
            return new Report(about, action, problem, Result.of(error));
        }
    }

    /** Empty if a rejection needs no report: it is only retried. */
    default Optional<Rejection> rejection() {
        return Optional.empty();
    }

    /**
     * One write to the API server.
     *
     * @param name what it is for, such as {@code reserve}; for the log
     * @param object the version that is changed, or what is created
     * @param event reported when it took effect
     */
    record Write(String name, HasMetadata object, Change change, Optional<Event> event, Optional<Rejection> rejection)
            implements Step {

        public Write(String name, HasMetadata object, Change change) {
            this(name, object, change, Optional.empty(), Optional.empty());
        }

        public Write reporting(Event done) {
            return new Write(name, object, change, Optional.of(done), rejection);
        }

        public Write reporting(Rejection rejected) {
            return new Write(name, object, change, event, Optional.of(rejected));
        }

        void send(ApiWriter writer) {
            switch (change) {
                case Create() -> writer.create(object);
                case Patch(JsonPatch operations) -> writer.patch(object, operations);
                case Merge(Map<String, ?> fields) -> writer.merge(object, fields);
                case MergeStatus(Map<String, ?> fields) -> writer.mergeStatus(object, fields);
                case Delete() -> writer.delete(object);
                case DeleteAnyVersion() -> writer.deleteAnyVersion(object);
            }
        }
    }

    /** The requests of {@link ApiWriter}. */
    sealed interface Change {}

    record Create() implements Change {}

    record Patch(JsonPatch operations) implements Change {}

    record Merge(Map<String, ?> fields) implements Change {}

    record MergeStatus(Map<String, ?> fields) implements Change {}

    record Delete() implements Change {}

    record DeleteAnyVersion() implements Change {}
}
