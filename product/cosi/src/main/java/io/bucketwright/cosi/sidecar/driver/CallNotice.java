package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/** Reports by an event that a call to the driver is in progress, and since when, if it takes long. */
public record CallNotice(TimeSource time, EventRecorder events) {

    private static final Duration USUAL = Duration.ofSeconds(30);

    /** Makes the call for these objects. */
    public <T> T during(DriverMethod method, List<? extends HasMetadata> objects, Supplier<T> call) {
        String note = "The driver has not answered " + method.rpc() + " since "
                + time.now().truncatedTo(ChronoUnit.SECONDS) + ". The sidecar waits until the timeout of its calls.";
        TimeSource.Alarm alarm = time.after(
                USUAL,
                () -> objects.forEach(
                        object -> events.normal(object, ReleasedReason.DRIVER_CALL_IN_PROGRESS, method.rpc(), note)));
        try {
            return call.get();
        } finally {
            alarm.cancel();
        }
    }
}
