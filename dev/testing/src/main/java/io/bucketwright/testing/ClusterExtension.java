package io.bucketwright.testing;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.LocalCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts one cluster for all tests of the JVM, or for those that name the same one, when the first needs it, and passes each
 * test its {@link TestCluster}.
 */
public final class ClusterExtension implements ParameterResolver, AfterEachCallback, ExecutionCondition {

    private static final Namespace STORE = Namespace.create(ClusterExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE)
                .computeIfAbsent(
                        TestCluster.class,
                        _ -> shared(context).open(addOns(context), context.getRequiredTestMethod()),
                        TestCluster.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestCluster cluster = context.getStore(STORE).remove(TestCluster.class, TestCluster.class);
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (!addOns(context).contains(AddOn.NODE) || RequiredAddOns.isRoot()) {
            return ConditionEvaluationResult.enabled("this machine provides what the test needs");
        }
        String reason = "a node needs root, and this is " + System.getProperty("user.name");
        if (required().contains(AddOn.NODE.text())) {
            throw new IllegalStateException("BUCKETWRIGHT_REQUIRE names node, but " + reason);
        }
        return ConditionEvaluationResult.disabled(reason);
    }

    private static List<String> required() {
        String names =
                Optional.ofNullable(System.getenv("BUCKETWRIGHT_REQUIRE")).orElse("");
        return Arrays.stream(names.split(",", -1)).map(String::trim).toList();
    }

    private static List<AddOn> addOns(ExtensionContext context) {
        return context.getTestClass().map(RequiredAddOns::of).orElse(List.of());
    }

    private static Shared shared(ExtensionContext context) {
        Optional<Class<?>> owner = context.getTestClass().filter(RequiredAddOns::hasOwnCluster);
        if (owner.isPresent()) {
            // A key of its own: a store finds the values of its parents too.
            return ofClass(context)
                    .getStore(STORE)
                    .computeIfAbsent(
                            owner.get(),
                            type -> new Shared(addOns(context), RequiredAddOns.hasWorkloads(type)),
                            Shared.class);
        }
        String name = context.getTestClass().map(RequiredAddOns::clusterOf).orElse("");
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(
                        "cluster " + name, _ -> new Shared(RequiredAddOns.ofAllTests(name), false), Shared.class);
    }

    private static ExtensionContext ofClass(ExtensionContext context) {
        ExtensionContext current = context;
        while (current.getTestMethod().isPresent()) {
            current = current.getParent().orElseThrow();
        }
        return current;
    }

    /** A cluster that tests share; JUnit closes it after the last of them. */
    private static final class Shared implements AutoCloseable {
        private final LocalCluster cluster;
        /** One for all tests: a client costs as much CPU as ten requests. */
        private final KubernetesClient admin;

        private final Set<AddOn> present = EnumSet.noneOf(AddOn.class);
        private final InstalledDefinitions definitions = new InstalledDefinitions();

        private Shared(Collection<AddOn> addOns, boolean workloads) {
            // All at once: a node that is added later restarts kube-controller-manager under the tests that run by
            // then.
            present.addAll(addOns);
            cluster = SmallClusters.builder(present, workloads || present.contains(AddOn.NODE))
                    .progress(new PrintedProgress(System.err))
                    .start();
            admin = Clients.of(cluster.kubeconfig());
        }

        private TestCluster open(List<AddOn> addOns, Method test) {
            return TestCluster.open(with(addOns), admin, definitions, test);
        }

        private synchronized LocalCluster with(List<AddOn> addOns) {
            if (present.addAll(addOns)) {
                cluster.add(addOns);
            }
            return cluster;
        }

        @Override
        public void close() {
            admin.close();
            cluster.close();
        }
    }
}
