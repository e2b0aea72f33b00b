package io.bucketwright.store.contract;

import io.bucketwright.store.options.Capability;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/**
 * Fails if a store declares a capability that no test of the contract has tested, or a test of it was aborted. What was
 * tested is also written to {@code target/contract}, where the test of the documentation reads it.
 */
final class CapabilityCoverage implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(CapabilityCoverage.class);

    /** What the tests of one class have done; they run in parallel. */
    static final class Tests {
        private final Set<String> finished = new HashSet<>();
        private final Set<Capability> tested = EnumSet.noneOf(Capability.class);
        private final Set<Capability> declared = EnumSet.noneOf(Capability.class);
        private final Set<String> aborted = new TreeSet<>();
        private boolean hasObjects;

        /** @param failure null if the test passed */
        synchronized void add(String method, BucketStoreContract test, @Nullable Throwable failure) {
            finished.add(method);
            if (failure instanceof TestAbortedException
                    && !test.tested().isEmpty()
                    && test.store().capabilities().containsAll(test.asked())) {
                aborted.add(method + " of " + test.tested());
            }
            declared.addAll(test.store().capabilities());
            hasObjects = test.subject().hasObjects();
            if (failure == null) {
                tested.addAll(test.tested());
            }
        }

        private synchronized Set<Capability> untested() {
            Set<Capability> untested = EnumSet.noneOf(Capability.class);
            untested.addAll(declared);
            untested.removeAll(tested);
            return untested;
        }

        /** Tests that found a declared capability, and were aborted nevertheless. */
        synchronized Set<String> aborted() {
            return Set.copyOf(aborted);
        }

        private synchronized String lines() {
            return tested.stream().map(capability -> capability + "\n").collect(Collectors.joining());
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getStore(NAMESPACE).put(Tests.class, new Tests());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        tests(context)
                .add(
                        context.getRequiredTestMethod().getName(),
                        (BucketStoreContract) context.getRequiredTestInstance(),
                        context.getExecutionException().orElse(null));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        Tests tests = tests(context);
        Set<String> all = ReflectionSupport.streamMethods(
                        context.getRequiredTestClass(), CapabilityCoverage::isTest, HierarchyTraversalMode.TOP_DOWN)
                .map(Method::getName)
                .collect(Collectors.toSet());
        // If somebody runs single tests, or the store has no objects, nothing follows from what was not tested.
        if (!tests.finished.containsAll(all) || !tests.hasObjects) {
            return;
        }
        // A class disables tests of what its emulator cannot do; another class must test that.
        boolean disabled = !ReflectionSupport.findMethods(
                        context.getRequiredTestClass(),
                        method -> AnnotationSupport.isAnnotated(method, Disabled.class),
                        HierarchyTraversalMode.TOP_DOWN)
                .isEmpty();
        if (!disabled && !tests.untested().isEmpty()) {
            throw new AssertionError("The store declares " + tests.untested()
                    + ", and no test of the contract has tested it: remove the capability, or find out why the tests were"
                    + " skipped");
        }
        if (!disabled && !tests.aborted().isEmpty()) {
            throw new AssertionError(
                    "The store declares capabilities, and tests of them were aborted: " + tests.aborted());
        }
        Path folder = Files.createDirectories(Path.of("target", "contract"));
        Files.writeString(folder.resolve(context.getRequiredTestClass().getSimpleName() + ".txt"), tests.lines());
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Test.class)
                && !AnnotationSupport.isAnnotated(method, Disabled.class);
    }

    private static Tests tests(ExtensionContext context) {
        return Objects.requireNonNull(
                context.getStore(NAMESPACE).get(Tests.class, Tests.class), "beforeAll did not run");
    }
}
