package io.bucketwright.testing.permits;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets a test class begin when its permits are free. The build says with {@value #PERMITS} how many a class of this module
 * takes; without that property, classes take none. A timeout of a test begins after the wait.
 */
public final class TestClassPermits implements TestExecutionListener {

    static final String PERMITS = "bucketwright.test.permits";

    /**
     * About as many as the threads of two modules that are built side by side, so that one build alone rarely waits.
     */
    private static final int FOR_EACH_PROCESSOR = 6;

    private final Map<UniqueId, MachinePermits.Held> held = new ConcurrentHashMap<>();
    private final int permits = Integer.getInteger(PERMITS, 0);
    private Optional<MachinePermits> machine = Optional.empty();

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        if (permits > 0) {
            Path file = Path.of(
                    System.getProperty("java.io.tmpdir"),
                    "bucketwright-test-permits-" + System.getProperty("user.name"));
            machine = Optional.of(MachinePermits.open(
                    file, FOR_EACH_PROCESSOR * Runtime.getRuntime().availableProcessors()));
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (machine.isPresent() && isOutermostClass(test)) {
            try {
                held.put(
                        test.getUniqueIdObject(),
                        machine.get()
                                .acquire(
                                        permits,
                                        () -> System.err.println(test.getDisplayName()
                                                + " waits until fewer test classes run on this machine")));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        MachinePermits.Held permitsOfClass = held.remove(test.getUniqueIdObject());
        if (permitsOfClass != null) {
            permitsOfClass.close();
        }
    }

    /** Classes in a class, and repetitions of a class with other arguments, run with its permits. */
    private boolean isOutermostClass(TestIdentifier test) {
        return test.getSource()
                        .filter(ClassSource.class::isInstance)
                        .map(source -> ((ClassSource) source).getJavaClass())
                        .filter(type -> type.getEnclosingClass() == null)
                        .isPresent()
                && test.getParentIdObject().filter(held::containsKey).isEmpty();
    }
}
