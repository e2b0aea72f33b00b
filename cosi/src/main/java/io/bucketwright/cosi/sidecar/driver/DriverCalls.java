package io.bucketwright.cosi.sidecar.driver;

import com.google.protobuf.Message;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.runtime.LeadershipLostException;
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

/** Calls to one driver. Each call has a deadline, no later than the end of this process's leadership, and is measured. */
public final class DriverCalls {

    /** When to call again after the driver answered that it is still working. */
    static final Duration IN_PROGRESS_DELAY = Duration.ofSeconds(2);

    private final CosiControllerBlockingStub stub;
    private final String driver;
    private final Duration deadline;
    private final MeterRegistry meters;

    public DriverCalls(Channel channel, String driver, Duration deadline, MeterRegistry meters) {
        this.stub = CosiControllerGrpc.newBlockingStub(channel);
        this.driver = driver;
        this.deadline = deadline;
        this.meters = meters;
    }

    /**
     * Makes the call.
     *
     * @param permitted how long this process may still act, which limits the call
     * @param read checks the response
     * @throws LeadershipLostException if this process may not act, or not any more when the call ended
     */
    public <Q extends Message, R, T> DriverAnswer<T> call(
            DriverMethod method,
            Supplier<Duration> permitted,
            Q request,
            BiFunction<CosiControllerBlockingStub, Q, R> rpc,
            Function<R, DriverAnswer<T>> read) {
        Duration left = permitted.get();
        requireLeadership(method, left);
        try {
            Duration limit = left.compareTo(deadline) < 0 ? left : deadline;
            return read.apply(measured(method.rpc(), () -> rpc.apply(within(limit), request)));
        } catch (StatusRuntimeException e) {
            requireLeadership(method, permitted.get());
            return DriverErrors.of(driver, method, e, request);
        }
    }

    /**
     * Calls DriverInfo.
     *
     * @throws StatusRuntimeException if the call fails
     */
    DriverInfoResponse info() {
        return measured("DriverInfo", () -> within(deadline).driverInfo(DriverInfoRequest.getDefaultInstance()));
    }

    private static void requireLeadership(DriverMethod method, Duration left) {
        if (left.isZero()) {
            throw new LeadershipLostException("The call of " + method.rpc()
                    + " was not sent or was stopped because this process does not lead any more; the leader continues");
        }
    }

    private CosiControllerBlockingStub within(Duration limit) {
        return stub.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
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
