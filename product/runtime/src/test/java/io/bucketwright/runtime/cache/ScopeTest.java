package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;

class ScopeTest {

    private final ConfigMap object = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .addToLabels("app", "x")
            .endMetadata()
            .build();

    @Test
    void everythingIsInTheWidestScope() {
        assertThat(Scope.everything().contains(object)).isTrue();
    }

    @Test
    void namespaceNameAndLabelsMustAllFit() {
        Scope scope = Scope.namespace("ns").named("a").labelled("app", "x");
        assertThat(scope.contains(object)).isTrue();
        assertThat(scope.labelled("tier", "y").contains(object)).isFalse();
        assertThat(scope.named("b").contains(object)).isFalse();
        assertThat(Scope.namespace("other").contains(object)).isFalse();
    }

    @Test
    void aLabelCanBeRequiredWithAnyValue() {
        assertThat(Scope.everything().having("app").contains(object)).isTrue();
        assertThat(Scope.everything().having("app").having("tier").contains(object))
                .isFalse();
    }

    @Test
    void anObjectWithoutLabelsIsInNoLabelledScope() {
        ConfigMap bare = new ConfigMapBuilder(object).build();
        bare.getMetadata().setLabels(null);
        assertThat(Scope.everything().labelled("app", "x").contains(bare)).isFalse();
        assertThat(Scope.everything().having("app").contains(bare)).isFalse();
    }

    @Test
    void aFieldMustHaveTheValueAndAnAbsentOneHasNone() {
        Pod pending = new PodBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
        Scope scope = Scope.everything().where("status.phase", "Pending");
        assertThat(scope.contains(pending)).isTrue();
        assertThat(Scope.everything().where("status.phase", "Running").contains(pending))
                .isFalse();
        assertThat(scope.where("spec.nodeName", "n").contains(pending)).isFalse();
        assertThat(scope.named("a").contains(pending)).isTrue();
        assertThat(scope.named("b").contains(pending)).isFalse();
    }
}
