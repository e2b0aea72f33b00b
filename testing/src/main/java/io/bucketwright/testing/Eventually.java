package io.bucketwright.testing;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** The wait for something that a controller does eventually. */
public final class Eventually {

    /** Long enough for a machine on which other tests run too; a test that passes never waits this long. */
    public static final Duration TIMEOUT = Duration.ofSeconds(90);

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private Eventually() {}

    /** Waits until the condition holds. A request that the API server rejects counts as "not yet". */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .atMost(TIMEOUT)
                .pollInterval(INTERVAL)
                .ignoreExceptionsInstanceOf(KubernetesClientException.class);
    }
}
