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

/** Calls to one driver: each has a deadline, only so many are under way at once, and all are measured. */
public final class DriverCalls {

    /** When a worker that found the driver busy comes back. */
    public static final Duration COME_BACK = Duration.ofMillis(200);

    private final CosiControllerBlockingStub stub;
    private final String driver;
    private final Duration deadline;
    private final ConcurrencyLimit limit;
    private final MeterRegistry meters;

    public DriverCalls(Channel channel, String driver, Duration deadline, int atOnce, MeterRegistry meters) {
        this.stub = CosiControllerGrpc.newBlockingStub(channel);
        this.driver = driver;
        this.deadline = deadline;
        this.limit = new ConcurrencyLimit("driver " + driver, atOnce, COME_BACK);
        this.meters = meters;
    }

    /** Makes the call, unless too many are under way. */
    public <Q extends Message, R> DriverAnswer<R> call(
            DriverMethod method, Q request, BiFunction<CosiControllerBlockingStub, Q, R> rpc) {
        return limit.tryRun(() -> answer(method, request, rpc)).orElseGet(DriverAnswer.Busy::new);
    }

    /**
     * Asks the driver who it is.
     *
     * @throws StatusRuntimeException if it does not answer
     */
    public DriverInfoResponse info() {
        return measured("DriverInfo", () -> timely().driverInfo(DriverInfoRequest.getDefaultInstance()));
    }

    private <Q extends Message, R> DriverAnswer<R> answer(
            DriverMethod method, Q request, BiFunction<CosiControllerBlockingStub, Q, R> rpc) {
        try {
            return new DriverAnswer.Given<>(measured(method.wireName(), () -> rpc.apply(timely(), request)));
        } catch (StatusRuntimeException e) {
            return DriverErrors.of(driver, method, e, request);
        }
    }

    private CosiControllerBlockingStub timely() {
        return stub.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }

    private <R> R measured(String method, Call<R> call) {
        Timer.Sample sample = Timer.start(meters);
        Status.Code code = Status.Code.UNKNOWN;
        try {
            R response = call.make();
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
                .description("How long calls to the driver took")
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

    private interface Call<R> {
        R make();
    }
}
