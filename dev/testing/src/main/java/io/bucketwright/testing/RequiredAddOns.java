package io.bucketwright.testing;

import io.bucketwright.local.AddOn;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Collects, before the first test, what the tests of this JVM need of the clusters that they share. */
public final class RequiredAddOns implements TestExecutionListener {

    /** By the name of the cluster. */
    private static final Map<String, Set<AddOn>> REQUIRED = new ConcurrentHashMap<>();

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        plan.accept(new TestPlan.Visitor() {
            @Override
            public void visit(TestIdentifier test) {
                test.getSource()
                        .filter(ClassSource.class::isInstance)
                        .map(source -> ((ClassSource) source).getJavaClass())
                        .filter(type -> !hasOwnCluster(type))
                        .ifPresent(type -> REQUIRED.computeIfAbsent(clusterOf(type), _ -> new CopyOnWriteArraySet<>())
                                .addAll(of(type)));
            }
        });
    }

    /** What the tests of this class need. */
    static List<AddOn> of(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, OnCluster.class)
                .map(annotation -> List.of(annotation.with()))
                .orElse(List.of());
    }

    /** What any test of this JVM needs of the cluster of that name, as far as this machine can provide it. */
    static Set<AddOn> ofAllTests(String cluster) {
        Set<AddOn> all = EnumSet.noneOf(AddOn.class);
        all.addAll(REQUIRED.getOrDefault(cluster, Set.of()));
        if (!isRoot()) {
            all.remove(AddOn.NODE);
        }
        return all;
    }

    /** The name of the cluster that the class shares. */
    static String clusterOf(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, OnCluster.class)
                .map(OnCluster::named)
                .orElse("");
    }

    static boolean hasOwnCluster(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, OnCluster.class)
                .filter(OnCluster::own)
                .isPresent();
    }

    static boolean hasWorkloads(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, OnCluster.class)
                .filter(OnCluster::workloads)
                .isPresent();
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
