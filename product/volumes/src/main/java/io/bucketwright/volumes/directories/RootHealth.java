package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The readiness check of the roots. The leader reports roots that it cannot open, disks that hang and full disks. A process that does not lead
 * reads the roots now and then, so that it is known before it leads whether it could work. A disk that hangs does not
 * block the check.
 */
final class RootHealth implements Supplier<Health> {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    /** With less, markers cannot be written reliably. */
    private static final long MIN_FREE_BYTES = 1L << 20;

    /**
     * Reading a root.
     *
     * @param problem the result; empty if there is no problem
     * @param former the result before, which counts until there is a new one
     */
    private record Probe(long startedNanos, CompletableFuture<String> problem, String former) {

        boolean isOld(long now) {
            return now - startedNanos > INTERVAL.toNanos();
        }
    }

    private final Roots roots;
    private final Leadership leadership;
    private final TimeSource time;
    private final Map<Path, Probe> probes = new ConcurrentHashMap<>();

    RootHealth(Roots roots, Leadership leadership, TimeSource time) {
        this.roots = roots;
        this.leadership = leadership;
        this.time = time;
    }

    @Override
    public Health get() {
        List<String> problems = roots.all().stream()
                .map(root -> leadership.held() ? ofLeader(root) : ofFollower(root))
                .filter(problem -> !problem.isEmpty())
                .toList();
        return problems.isEmpty() ? Health.healthy() : Health.unhealthy(String.join("; ", problems));
    }

    private static String ofLeader(Root root) {
        return root.hanging().orElseGet(() -> ofState(root));
    }

    private static String ofState(Root root) {
        return switch (root.state()) {
            case RootState.Unavailable(String reason) -> reason;
            case RootState.NotOpened() -> "The root " + root.path() + " is not open yet";
            case RootState.Open _ ->
                root.space()
                        .filter(space -> space.free() < MIN_FREE_BYTES)
                        .map((Space _) -> "The disk of root " + root.path() + " is full")
                        .orElse("");
        };
    }

    private String ofFollower(Root root) {
        @Nullable Probe last = probes.get(root.path());
        long now = time.nanos();
        if (last == null || (last.problem().isDone() && last.isOld(now))) {
            String former = last == null ? "" : last.problem().join();
            CompletableFuture<String> problem = CompletableFuture.supplyAsync(
                            () -> probe(root),
                            task -> Thread.ofPlatform()
                                    .daemon()
                                    .name("root-probe")
                                    .start(task))
                    .exceptionally(String::valueOf);
            probes.put(root.path(), new Probe(now, problem, former));
            return former;
        }
        if (last.problem().isDone()) {
            return last.problem().join();
        }
        return last.isOld(now) ? "The disk of root " + root.path() + " does not answer" : last.former();
    }

    private static String probe(Root root) {
        try {
            root.probe();
            return "";
        } catch (IOException | RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
