package io.bucketwright.app.claim;

import io.bucketwright.app.options.ApiServerOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags that select the cluster and the namespace. */
final class ClaimScope {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Namespace of the claim (default: the namespace of the kubeconfig's context).")
    private String namespace = "";

    String namespace() {
        return namespace.isBlank() ? ApiServerOptions.namespace(server.config()) : namespace;
    }

    /** Connects to the API server. */
    ClaimClient open() {
        return ClaimClient.open(server);
    }
}
