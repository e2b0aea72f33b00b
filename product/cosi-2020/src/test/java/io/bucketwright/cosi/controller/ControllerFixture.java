package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.fixture.CosiFixture;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Map;

/** The controller beside a fake sidecar, whose store is in memory. */
final class ControllerFixture extends CosiFixture {

    final FakeSidecar sidecar;

    ControllerFixture(TestCluster cluster) {
        super(cluster, cluster.namespace(), new Provisioner(cluster.namespace() + "-store", "s3.test"));
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(cluster.user("sidecar").config())
                .build();
        sidecar = new FakeSidecar(client, provisioner);
        open.push(client::close);
        open.push(sidecar::close);
    }

    /** Replaces the content of a Secret and removes the label by which the controller finds it. */
    void corruptSecret(String name) {
        edit(secret(name), secret -> {
            secret.getMetadata().setLabels(Map.of());
            secret.setData(Map.of("SECRET_KEY", "d3Jvbmc="));
        });
    }

    /** The key in the application's Secret. */
    String key(String name) {
        return key(namespace(), name);
    }

    String key(String inNamespace, String name) {
        return content(inNamespace, name).getOrDefault("SECRET_KEY", "");
    }

    /** Whether the application's Secret contains the current key of the account. */
    boolean opens(String accessRequest, String secret) {
        String account = accessOf(accessRequest).account();
        return key(secret).equals(sidecar.accounts.get(account));
    }
}
