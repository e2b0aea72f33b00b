package io.bucketwright.app.options;

import picocli.CommandLine.Option;

/** {@code --namespace} of a controller. */
public final class NamespaceOption {

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace whose claims are reconciled (default: all namespaces).")
    private String namespace = "";

    /** Empty for all namespaces. */
    public String namespace() {
        return namespace;
    }
}
