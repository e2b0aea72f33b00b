package io.bucketwright.testing;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The custom resource definitions of one cluster. Each test installs those that it needs; to apply them again is expensive. */
final class InstalledDefinitions {

    private final Map<String, CustomResourceDefinition> installed = new HashMap<>();

    /** Installs the definitions that differ from those installed last, and waits until they are served. */
    synchronized void install(KubernetesClient admin, List<CustomResourceDefinition> definitions) {
        for (CustomResourceDefinition definition : definitions) {
            String name = definition.getMetadata().getName();
            if (!definition.equals(installed.get(name))) {
                installed.remove(name);
                admin.resource(definition).forceConflicts().serverSideApply();
                admin.resource(definition)
                        .waitUntilCondition(InstalledDefinitions::isEstablished, 30, TimeUnit.SECONDS);
                installed.put(name, definition);
            }
        }
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }
}
