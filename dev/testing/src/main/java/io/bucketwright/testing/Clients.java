package io.bucketwright.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Clients that reach the local API server directly, whatever proxy the machine has set. */
public final class Clients {

    /** One for all clients of this JVM: each of them would load the names of all Kubernetes kinds again. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Clients() {}

    static Config config(Path kubeconfig) {
        try {
            Config config = Config.fromKubeconfig(Files.readString(kubeconfig));
            return new ConfigBuilder(config)
                    .withHttpProxy(null)
                    .withHttpsProxy(null)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For tests: patient, because the API server has to wait for a CPU when builds share the machine. */
    public static KubernetesClient of(Path kubeconfig) {
        Config patient = new ConfigBuilder(config(kubeconfig))
                .withRequestTimeout(Math.toIntExact(Eventually.TIMEOUT.toMillis()))
                .build();
        return builder(patient).build();
    }

    static KubernetesClientBuilder builder(Config config) {
        return new KubernetesClientBuilder().withConfig(config).withKubernetesSerialization(SERIALIZATION);
    }
}
