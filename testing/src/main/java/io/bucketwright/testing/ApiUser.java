package io.bucketwright.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;

/** A user of the API server, known by a client certificate. Each controller under test is one of its own. */
public record ApiUser(String name, Path kubeconfig) {

    /** How to reach the server as this user. */
    public Config config() {
        return Clients.config(kubeconfig);
    }

    /** A client that acts as this user; the caller closes it. */
    public KubernetesClient client() {
        return Clients.of(kubeconfig);
    }
}
