package io.bucketwright.api;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Installs CRDs on a cluster. */
public final class CrdInstaller {
    private CrdInstaller() {}

    static void objectBuckets(KubernetesClient client) {
        apply(client, Crds.objectBuckets());
    }

    public static void cosi(KubernetesClient client) {
        apply(client, Crds.cosi());
    }

    static void schemasOf(String controller, KubernetesClient client) {
        apply(
                client,
                List.of(
                        parse("/schemas/" + controller + "/objectbucketclaims.yaml"),
                        parse("/schemas/" + controller + "/objectbuckets.yaml")));
    }

    private static CustomResourceDefinition parse(String path) {
        return Serialization.unmarshal(Samples.resource(path), CustomResourceDefinition.class);
    }

    private static void apply(KubernetesClient client, List<CustomResourceDefinition> definitions) {
        for (CustomResourceDefinition definition : definitions) {
            client.resource(definition).forceConflicts().serverSideApply();
            client.resource(definition).waitUntilCondition(CrdInstaller::established, 1, TimeUnit.MINUTES);
        }
    }

    static boolean established(CustomResourceDefinition definition) {
        return Optional.ofNullable(definition.getStatus()).map(CustomResourceDefinitionStatus::getConditions).stream()
                .flatMap(List::stream)
                .anyMatch(
                        condition -> "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
