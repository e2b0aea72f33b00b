package io.bucketwright.app.claim;

import io.bucketwright.app.controller.ApiServerOptions;
import io.fabric8.kubernetes.client.Config;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster and which namespace are meant. */
final class ClaimScope {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = {"-n", "--namespace"},
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "The namespace of the claim (default: that of the kubeconfig's context).")
    private String namespace = "";

    String namespace() {
        return namespace.isBlank() ? ofContext(server.config()) : namespace;
    }

    /** Opens the way to the API server, after a look whether it is there. */
    Claims open() {
        Config config = server.config();
        server.requireReachable(config);
        return Claims.open(config);
    }

    private static String ofContext(Config config) {
        return Optional.ofNullable(config.getNamespace())
                .filter(name -> !name.isBlank())
                .orElse("default");
    }
}
