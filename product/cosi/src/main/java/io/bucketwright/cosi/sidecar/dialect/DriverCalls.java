package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.runtime.LeadershipLostException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractBlockingStub;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls to one service of a driver. Each call has a deadline and is measured. It may outlive the leadership of this process:
 * what the next leader needs was recorded before it, and its answer is dropped then.
 *
 * @param <S> the stub of the service
 */
public final class DriverCalls<S extends AbstractBlockingStub<S>> {

    /** A driver that works for minutes on a bucket still says who it is. */
    private static final Duration INFO = Duration.ofSeconds(10);

    private final S stub;
    private final CallSettings settings;
    private final DriverErrorTable errors;

    public DriverCalls(S stub, CallSettings settings, DriverErrorTable errors) {
        this.stub = stub;
        this.settings = settings;
        this.errors = errors;
    }

    /** Makes a call that removes something; its response has no content. */
    public <Q extends Message, R> DriverAnswer<EmptyAnswer> remove(
            DriverMethod method, Supplier<Duration> permitted, Q request, BiFunction<S, Q, R> send) {
        return call(method, permitted, request, send, _ -> new DriverAnswer.Done<>(new EmptyAnswer()));
    }

    /**
     * Makes the call.
     *
     * @param permitted how long this process may still act; zero if it does not lead
     * @param read checks the response
     * @throws LeadershipLostException if this process may not act, or not any more when the call ended
     */
    public <Q extends Message, R, T> DriverAnswer<T> call(
            DriverMethod method,
            Supplier<Duration> permitted,
            Q request,
            BiFunction<S, Q, R> send,
            Function<R, DriverAnswer<T>> read) {
        String rpc = errors.rpc(method);
        requireLeadership(rpc, permitted);
        try {
            R response = measured(rpc, () -> send.apply(within(settings.deadline()), request));
            requireLeadership(rpc, permitted);
            return read.apply(response);
        } catch (StatusRuntimeException e) {
            requireLeadership(rpc, permitted);
            return errors.answer(settings.driver(), method, e, request);
        }
    }

    /**
     * Makes a call that is not about an object.
     *
     * @throws StatusRuntimeException if the call fails
     */
    public <R> R info(String rpc, Function<S, R> send) {
        Duration deadline = settings.deadline().compareTo(INFO) < 0 ? settings.deadline() : INFO;
        return measured(rpc, () -> send.apply(within(deadline)));
    }

    private static void requireLeadership(String rpc, Supplier<Duration> permitted) {
        if (permitted.get().isZero()) {
            throw new LeadershipLostException("The call of " + rpc
                    + " was not sent, or its answer is dropped, because this process does not lead any more; the leader"
                    + " continues");
        }
    }

    private S within(Duration limit) {
        return stub.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private <R> R measured(String method, Supplier<R> call) {
        Timer.Sample sample = Timer.start(settings.meters());
        Status.Code code = Status.Code.UNKNOWN;
        try {
            R response = call.get();
            code = Status.Code.OK;
            return response;
        } catch (StatusRuntimeException e) {
            code = e.getStatus().getCode();
            throw e;
        } finally {
            record(method, sample, code);
        }
    }

    private void record(String method, Timer.Sample sample, Status.Code code) {
        sample.stop(Timer.builder("cosi.sidecar.operation.duration")
                .description("Duration of calls to the driver")
                .tags("driver_name", settings.driver(), "method_name", method, "grpc_status_code", code.name())
                .serviceLevelObjectives(
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(2500),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30))
                .register(settings.meters()));
        Counter failures = Counter.builder("cosi.sidecar.operation.errors")
                .description("Calls to the driver that failed")
                .tags("driver_name", settings.driver(), "method_name", method)
                .register(settings.meters());
        if (code != Status.Code.OK) {
            failures.increment();
        }
    }
}
