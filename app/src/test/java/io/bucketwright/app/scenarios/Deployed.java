package io.bucketwright.app.scenarios;

import io.bucketwright.api.Crds;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** What an administrator applies once: our definitions and deploy/rbac.yaml. */
final class Deployed {

    private Deployed() {}

    static void apply(KubernetesClient admin) {
        Crds.all().forEach(crd -> {
            admin.resource(crd).forceConflicts().serverSideApply();
            admin.resource(crd)
                    .waitUntilCondition(
                            it -> it.getStatus() != null
                                    && it.getStatus().getConditions() != null
                                    && it.getStatus().getConditions().stream()
                                            .anyMatch(condition -> condition
                                                            .getType()
                                                            .equals("Established")
                                                    && condition.getStatus().equals("True")),
                            30,
                            TimeUnit.SECONDS);
        });
        try (FileInputStream rbac = new FileInputStream("../deploy/rbac.yaml")) {
            admin.load(rbac).serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
