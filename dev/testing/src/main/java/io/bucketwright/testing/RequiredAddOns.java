package io.bucketwright.testing;

import io.bucketwright.local.AddOn;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Collects, before the first test, what the tests of this JVM need of their shared cluster. */
public final class RequiredAddOns implements TestExecutionListener {

    private static final Set<AddOn> REQUIRED = new CopyOnWriteArraySet<>();

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        plan.accept(new TestPlan.Visitor() {
            @Override
            public void visit(TestIdentifier test) {
                test.getSource()
                        .filter(ClassSource.class::isInstance)
                        .map(source -> ((ClassSource) source).getJavaClass())
                        .filter(type -> !hasOwnCluster(type))
                        .ifPresent(type -> REQUIRED.addAll(of(type)));
            }
        });
    }

    /** What the tests of this class need. */
    static List<AddOn> of(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, OnCluster.class)
                .map(annotation -> List.of(annotation.with()))
                .orElse(List.of());
    }

    /** What any test of this JVM needs, as far as this machine can provide it. */
    static Set<AddOn> ofAllTests() {
        Set<AddOn> all = EnumSet.noneOf(AddOn.class);
        all.addAll(REQUIRED);
        if (!isRoot()) {
            all.remove(AddOn.NODE);
        }
        return all;
    }

    static boolean hasOwnCluster(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, OnCluster.class)
                .filter(OnCluster::own)
                .isPresent();
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
