package io.bucketwright.testing;

import io.bucketwright.local.AddOn;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of this class use a real cluster, through a parameter of type {@link TestCluster}. All classes of a JVM share
 * one, and run in parallel.
 *
 * <p>Without root there is no node: the test is skipped, or fails if the environment variable
 * {@code BUCKETWRIGHT_REQUIRE} contains {@code node}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ClusterExtension.class)
public @interface OnCluster {
    /** What the cluster must have beside its control plane. */
    AddOn[] with() default {};

    /**
     * Whether the class has a cluster of its own, started before its first test and removed after its last: for controllers
     * that serve the whole cluster and would work on the objects of tests that run at the same time.
     */
    boolean own() default false;

    /**
     * The name of a cluster that all classes with this name share, and no others: for controllers that serve the whole cluster,
     * so that they wait only for each other and not for the tests whose objects they would work on. Empty for the cluster of the
     * module.
     */
    String named() default "";

    /**
     * Whether the API server of a cluster of its own has Deployments and the like, although there is no node that runs their
     * pods: for tests of what is installed. To start and stop a node costs CPU time.
     */
    boolean workloads() default false;
}
