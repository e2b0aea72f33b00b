package io.bucketwright.testing;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;

/** The wait for something that a controller does eventually. */
public final class Eventually {

    /** Long enough for a machine on which other tests run too; a test that passes never waits this long. */
    public static final Duration TIMEOUT = Duration.ofSeconds(90);

    private static final Duration FIRST_INTERVAL = Duration.ofMillis(50);

    /** What takes long is looked at less often: each look costs requests. */
    private static final Duration LAST_INTERVAL = Duration.ofMillis(400);

    private Eventually() {}

    /** Waits until the condition holds. A request that the API server rejects counts as "not yet". */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .atMost(TIMEOUT)
                .pollInterval(IterativePollInterval.iterative(Eventually::next, FIRST_INTERVAL))
                .ignoreExceptionsInstanceOf(KubernetesClientException.class);
    }

    private static Duration next(Duration interval) {
        Duration longer = interval.multipliedBy(5).dividedBy(4);
        return longer.compareTo(LAST_INTERVAL) < 0 ? longer : LAST_INTERVAL;
    }
}
