package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.http.ApiClient;
import io.bucketwright.bench.http.ObjectWatch;
import io.bucketwright.bench.http.WatchEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When leases of a namespace are acquired. */
final class LeaseWatch implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Map<String, String> holders = new HashMap<>();
    private final List<Long> acquisitions = new ArrayList<>();
    private final ObjectWatch watch;

    LeaseWatch(ApiClient admin, String namespace) throws IOException {
        watch = admin.watch("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases", this::observe);
    }

    /** Forgets earlier acquisitions. */
    synchronized void reset() {
        acquisitions.clear();
    }

    /**
     * Waits until that many leases have been acquired since the last reset.
     *
     * @param check throws if there is no use in waiting
     * @return the time of the last of them, by {@link System#nanoTime}
     */
    synchronized long await(int count, Runnable check) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (acquisitions.size() < count) {
            check.run();
            if (System.nanoTime() - deadline > 0) {
                throw new CommandException("Only " + acquisitions.size() + " of " + count + " Leases were acquired"
                        + " within " + TIMEOUT.toMinutes() + " minutes. See the logs of the controllers.");
            }
            wait(100);
        }
        return acquisitions.get(count - 1);
    }

    private synchronized void observe(WatchEvent event) {
        String holder = event.text("spec", "holderIdentity");
        String before = holders.put(event.name(), holder);
        if (!holder.isEmpty() && !holder.equals(before)) {
            acquisitions.add(event.nanos());
            notifyAll();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
