package io.bucketwright.testing;

import io.bucketwright.local.AddOn;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of this class face the real cluster of this JVM; a parameter of type {@link TestCluster} is how.
 *
 * <p>What the machine cannot offer (root, for a node) is a visible skip, and a failure where the environment variable
 * {@code BUCKETWRIGHT_REQUIRE} names it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ClusterExtension.class)
public @interface OnCluster {
    /** What the cluster must have beside its control plane. */
    AddOn[] with() default {};
}
