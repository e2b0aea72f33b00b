package io.bucketwright.testing;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
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
                        .waitUntilCondition(InstalledDefinitions::isEstablished, 90, TimeUnit.SECONDS);
                Eventually.await(name + " to be served")
                        .pollDelay(Duration.ZERO)
                        .until(() -> isServed(admin, definition));
                installed.put(name, definition);
            }
        }
    }

    /** The API server reports a definition as established a moment before it answers requests for its objects. */
    private static boolean isServed(KubernetesClient admin, CustomResourceDefinition definition) {
        CustomResourceDefinitionSpec spec = definition.getSpec();
        return spec.getVersions().stream()
                .filter(CustomResourceDefinitionVersion::getServed)
                .allMatch(version -> admin.raw("/apis/" + spec.getGroup() + "/" + version.getName() + "/"
                                + spec.getNames().getPlural() + "?limit=1")
                        != null);
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }
}
