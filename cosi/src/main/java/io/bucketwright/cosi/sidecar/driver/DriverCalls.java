package io.bucketwright.cosi.sidecar.driver;

import com.google.protobuf.Message;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.runtime.controller.ConcurrencyLimit;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls to one driver. Each call has a deadline, the number of calls in flight is limited, and all are measured. */
public final class DriverCalls {

    /** When to call again after the driver answered that it is still working. */
    static final Duration IN_PROGRESS_DELAY = Duration.ofSeconds(2);

    /** When to try again after the limit of calls in flight was reached. */
    private static final Duration BUSY_DELAY = Duration.ofMillis(200);

    private final CosiControllerBlockingStub stub;
    private final String driver;
    private final Duration deadline;
    private final ConcurrencyLimit limit;
    private final MeterRegistry meters;

    public DriverCalls(Channel channel, String driver, Duration deadline, int maxInFlight, MeterRegistry meters) {
        this.stub = CosiControllerGrpc.newBlockingStub(channel);
        this.driver = driver;
        this.deadline = deadline;
        this.limit = new ConcurrencyLimit("driver " + driver, maxInFlight, BUSY_DELAY);
        this.meters = meters;
    }

    /**
     * Makes the call, unless too many are in flight.
     *
     * @param read checks the response
     */
    public <Q extends Message, R, T> DriverAnswer<T> call(
            DriverMethod method,
            Q request,
            BiFunction<CosiControllerBlockingStub, Q, R> rpc,
            Function<R, DriverAnswer<T>> read) {
        return limit.tryRun(() -> send(method, request, rpc, read))
                .orElseGet(() -> new DriverAnswer.Pending<>(BUSY_DELAY));
    }

    /**
     * Calls DriverInfo.
     *
     * @throws StatusRuntimeException if the call fails
     */
    DriverInfoResponse info() {
        return measured("DriverInfo", () -> withDeadline().driverInfo(DriverInfoRequest.getDefaultInstance()));
    }

    private <Q extends Message, R, T> DriverAnswer<T> send(
            DriverMethod method,
            Q request,
            BiFunction<CosiControllerBlockingStub, Q, R> rpc,
            Function<R, DriverAnswer<T>> read) {
        try {
            return read.apply(measured(method.rpc(), () -> rpc.apply(withDeadline(), request)));
        } catch (StatusRuntimeException e) {
            return DriverErrors.of(driver, method, e, request);
        }
    }

    private CosiControllerBlockingStub withDeadline() {
        return stub.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }

    private <R> R measured(String method, Supplier<R> call) {
        Timer.Sample sample = Timer.start(meters);
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
                .tags("driver_name", driver, "method_name", method, "grpc_status_code", code.name())
                .serviceLevelObjectives(
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(2500),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30))
                .register(meters));
        if (code != Status.Code.OK) {
            meters.counter("cosi.sidecar.operation.errors", "driver_name", driver, "method_name", method)
                    .increment();
        }
    }
}
