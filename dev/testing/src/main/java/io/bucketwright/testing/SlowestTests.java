package io.bucketwright.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Records how long each test class of this JVM took, in the file that the build names. {@link SlowestTestsReport} prints
 * the slowest of all modules at the end of the build.
 */
public final class SlowestTests implements TestExecutionListener {

    private static final String FILE = "bucketwright.test.times";

    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final Map<String, Long> millis = new ConcurrentHashMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        className(test).ifPresent(name -> started.put(name, System.nanoTime()));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        className(test).ifPresent(name -> {
            Long start = started.remove(name);
            if (start != null) {
                millis.merge(name, (System.nanoTime() - start) / 1_000_000, Long::sum);
            }
        });
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        String file = System.getProperty(FILE);
        if (file == null) {
            return;
        }
        String lines = millis.entrySet().stream()
                .map(entry -> entry.getValue() + "\t" + entry.getKey() + "\n")
                .collect(Collectors.joining());
        try {
            Files.writeString(Path.of(file), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> className(TestIdentifier test) {
        return test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(ClassSource.class::cast)
                .map(ClassSource::getClassName);
    }
}
