package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.queue.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remembers what failed, and how long to wait: longer each time, until it works or somebody changes something. */
final class Failures {

    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    private final Recollections memory;
    private final TimeSource time;
    private final Backoff backoff;
    private final RandomGenerator random;

    Failures(Recollections memory, TimeSource time, Backoff backoff, RandomGenerator random) {
        this.memory = memory;
        this.time = time;
        this.backoff = backoff;
        this.random = random;
    }

    void remember(Step.Concerned on, Trouble trouble) {
        memory.change(on.key(), old -> {
            int before = old.failure()
                    .filter(last -> last.concern() == on.concern())
                    .map(Failure::attempts)
                    .orElse(0);
            Duration delay = backoff.delay(before + 1, random);
            return old.withFailure(new Failure(
                    on.concern(), trouble, on.inputs(), before + 1, time.now().plus(delay)));
        });
        log.warn("{} ({})", trouble.message(), trouble.reason());
    }
}
