package io.bucketwright.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;

/** A user of the API server with a client certificate. Each controller under test has its own. */
public record ApiUser(String name, Path kubeconfig) {

    /** The configuration of a client of this user. */
    public Config config() {
        return Clients.config(kubeconfig);
    }

    /** A client of this user; the caller closes it. */
    public KubernetesClient client() {
        return Clients.of(kubeconfig);
    }
}
