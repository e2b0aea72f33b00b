package io.bucketwright.cosi.sidecar.driver;





import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.queue.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** What this process remembers of the objects in work, and how long it waits after a failure: longer each time. */
public final class Memory {

    private final Map<ObjectKey, Recollection> known = new ConcurrentHashMap<>();
    private final TimeSource time;
    private final Backoff backoff;
    private final RandomGenerator random;

    public Memory(TimeSource time, Backoff backoff, RandomGenerator random) {
        this.time = time;
        this.backoff = backoff;
        this.random = random;
    }

    public Recollection of(ObjectKey key) {
        return known.getOrDefault(key, Recollection.none());
    }

    public void change(ObjectKey key, UnaryOperator<Recollection> change) {
        known.compute(key, (_, old) -> change.apply(old == null ? Recollection.none() : old));
    }

    public void forget(ObjectKey key) {
        known.remove(key);
    }

    /** Remembers a failure, and when to try again unless something changes before. */
    public void failed(ObjectKey key, DriverMethod method, String inputs, Trouble trouble) {
        change(key, old -> {
            int before = old.failure()
                    .filter(last -> last.method() == method)
                    .map(Failure::attempts)
                    .orElse(0);
            Duration delay = backoff.delay(before + 1, random);
            return old.withFailure(
                    new Failure(method, trouble, inputs, before + 1, time.now().plus(delay)));
        });
    }
}
