package io.bucketwright.testing;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.PollInterval;

/** The wait for something that a controller does eventually. */
public final class Eventually {

    /** Long enough for a machine on which other tests run too; a test that passes never waits this long. */
    public static final Duration TIMEOUT = Duration.ofSeconds(90);

    /**
     * 150, 200, 250, 300, 300 … ms: each look is a request, which costs the API server more CPU than most of what the
     * tests wait for.
     */
    private static final PollInterval INTERVAL = (number, _) -> Duration.ofMillis(Math.min(100 + 50L * number, 300));

    private Eventually() {}

    /** Waits until the condition holds. A request that the API server rejects counts as "not yet". */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .atMost(TIMEOUT)
                .pollInterval(INTERVAL)
                .ignoreExceptionsInstanceOf(KubernetesClientException.class);
    }
}
