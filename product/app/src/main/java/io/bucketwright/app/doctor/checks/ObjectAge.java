package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.command.ObjectTime;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.runtime.objects.DurationText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long ago something happened, by the times in the metadata of objects. */
final class ObjectAge {
    private ObjectAge() {}

    /** Empty if there is no such time. */
    static Optional<Duration> since(@Nullable String timestamp, ClusterObservation observed) {
        return ObjectTime.parse(timestamp).map(time -> Duration.between(time, observed.now()));
    }

    /** Whether it is older than a claim should be until it is ready. */
    static boolean isOverdue(HasMetadata object, ClusterObservation observed) {
        return since(object.getMetadata().getCreationTimestamp(), observed)
                .filter(age -> age.compareTo(observed.scope().stuckAfter()) >= 0)
                .isPresent();
    }

    /** In whole seconds, without the smaller units of long times. */
    static String text(Duration duration) {
        Duration whole = Duration.ofSeconds(Math.max(0, duration.toSeconds()));
        return DurationText.of(whole.toHours() > 0 ? Duration.ofMinutes(whole.toMinutes()) : whole);
    }
}
