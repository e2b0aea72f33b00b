package io.bucketwright.app.controller;

import io.bucketwright.app.Failure;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster is meant: as kubectl would choose it, or as said. */
public final class ApiServerOptions {

    private static final int PATIENCE_MILLIS = 5_000;

    @Option(
            names = {"--kubeconfig", "-kubeconfig"},
            paramLabel = "FILE",
            description = "The kubeconfig to use (default: the pod's service account, else as kubectl chooses).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The context of the kubeconfig (default: its current one).")
    private @Nullable String context;

    public Config config() {
        if (kubeconfig == null) {
            return Config.autoConfigure(context);
        }
        if (!Files.isReadable(kubeconfig)) {
            throw new Failure("The kubeconfig " + kubeconfig + " cannot be read.");
        }
        try {
            return Config.fromKubeconfig(context, kubeconfig.toFile());
        } catch (RuntimeException e) {
            // The client lets its YAML parser's own exceptions through, which are not ours to name.
            throw new Failure("The file " + kubeconfig + " is no kubeconfig that can be understood.", e);
        }
    }

    /** A wrong address is told at once and in one sentence; a server that goes away later is waited for. */
    public void requireReachable(Config config) {
        Config impatient = new ConfigBuilder(config)
                .withConnectionTimeout(PATIENCE_MILLIS)
                .withRequestTimeout(PATIENCE_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(impatient).build()) {
            client.getKubernetesVersion();
        } catch (KubernetesClientException e) {
            throw new Failure(
                    "The API server at " + config.getMasterUrl() + " cannot be reached: " + rootCause(e)
                            + ". Check --kubeconfig and --context, and that it runs.",
                    e);
        }
    }

    private static String rootCause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
