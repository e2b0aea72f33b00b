package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The result of a call to the driver.
 *
 * @param <T> what the controller keeps of the response
 */
public sealed interface DriverAnswer<T> {

    /** When to call again after the driver answered that it is still working. */
    Duration IN_PROGRESS_DELAY = Duration.ofSeconds(2);

    record Done<T>(T value) implements DriverAnswer<T> {}

    /** The bucket or the access that was to be removed does not exist. */
    record AlreadyRemoved<T>() implements DriverAnswer<T> {}

    /** The driver is still working on it: call again after the delay. */
    record Pending<T>(Duration delay) implements DriverAnswer<T> {}

    record Failed<T>(Problem problem) implements DriverAnswer<T> {}

    /** The response lacks something, or contradicts the request. The driver is called again: a new version may be right. */
    static <T> DriverAnswer<T> invalidResponse(String message) {
        return new Failed<>(Problem.retryable(ProvisionerReason.INVALID_DRIVER_RESPONSE.text(), message));
    }

    /** What to make of a successful answer. */
    default <U> DriverAnswer<U> then(Function<? super T, DriverAnswer<U>> next) {
        return switch (this) {
            case Done<T>(T value) -> next.apply(value);
            case AlreadyRemoved<T>() -> new AlreadyRemoved<>();
            case Pending<T>(Duration delay) -> new Pending<>(delay);
            case Failed<T>(Problem problem) -> new Failed<>(problem);
        };
    }

    /** How a step that creates or grants ends. */
    default Outcome outcome(Consumer<? super T> done, Consumer<Problem> failed) {
        return switch (this) {
            case Done<T>(T value) -> {
                done.accept(value);
                yield Outcome.progress();
            }
            case AlreadyRemoved<T>() -> Outcome.finish(Result.requeueAfter(IN_PROGRESS_DELAY));
            case Pending<T>(Duration delay) -> Outcome.finish(Result.requeueAfter(delay));
            case Failed<T>(Problem problem) -> {
                failed.accept(problem);
                yield Outcome.progress();
            }
        };
    }

    /** How a step that deletes or revokes ends. */
    default Outcome removalOutcome(Runnable removed, Consumer<Problem> failed) {
        if (this instanceof AlreadyRemoved<T>) {
            removed.run();
            return Outcome.progress();
        }
        return outcome(_ -> removed.run(), failed);
    }
}
