package io.bucketwright.app.scenarios;

import io.bucketwright.api.Crds;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What an administrator applies once: the CustomResourceDefinitions and deploy/rbac.yaml. */
final class DeployedManifests {

    private DeployedManifests() {}

    static void apply(KubernetesClient admin) {
        Crds.all().forEach(crd -> {
            admin.resource(crd).forceConflicts().serverSideApply();
            admin.resource(crd)
                    .waitUntilCondition(
                            definition -> definition.getStatus() != null
                                    && definition.getStatus().getConditions() != null
                                    && definition.getStatus().getConditions().stream()
                                            .anyMatch(condition -> condition
                                                            .getType()
                                                            .equals("Established")
                                                    && condition.getStatus().equals("True")),
                            30,
                            TimeUnit.SECONDS);
        });
        manifests(admin).forEach(object -> admin.resource(object).serverSideApply());
    }

    /** Grants the permissions on leases in another namespace, so that scenarios elect leaders apart from each other. */
    static void allowLeases(KubernetesClient admin, String namespace) {
        manifests(admin).stream()
                .filter(object -> object.getMetadata().getName().equals("bucketwright-leases"))
                .forEach(object -> {
                    object.getMetadata().setNamespace(namespace);
                    admin.resource(object).serverSideApply();
                });
    }

    private static List<HasMetadata> manifests(KubernetesClient admin) {
        try (FileInputStream rbac = new FileInputStream("../deploy/rbac.yaml")) {
            return admin.load(rbac).items();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
