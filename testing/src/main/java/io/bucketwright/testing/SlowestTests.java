package io.bucketwright.testing;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints the ten slowest tests of a run: what grows slow should be seen before it hurts. */
public final class SlowestTests implements TestExecutionListener {

    private static final int SHOWN = 10;
    private static final Duration WORTH_SHOWING = Duration.ofSeconds(1);

    private final Map<String, Long> begun = new ConcurrentHashMap<>();
    private final Map<TestIdentifier, Duration> took = new ConcurrentHashMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        begun.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Long start = begun.remove(test.getUniqueId());
        if (start != null && test.isTest()) {
            took.put(test, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        took.entrySet().stream()
                .filter(entry -> entry.getValue().compareTo(WORTH_SHOWING) > 0)
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .forEach(entry -> System.out.printf(
                        "[slowest] %6.1f s %s.%s%n",
                        entry.getValue().toMillis() / 1000.0,
                        plan.getParent(entry.getKey())
                                .map(TestIdentifier::getDisplayName)
                                .orElse(""),
                        entry.getKey().getDisplayName()));
    }
}
