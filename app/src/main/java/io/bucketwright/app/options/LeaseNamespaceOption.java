package io.bucketwright.app.options;

import picocli.CommandLine.Option;

/** {@code --lease-namespace}. */
public final class LeaseNamespaceOption {

    @Option(
            names = "--lease-namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Namespace of the Lease (default: the namespace of the pod or of the kubeconfig's context).")
    private String namespace = "";

    /** The namespace of the Lease; by default that of the pod or of the kubeconfig's context. */
    public String orElse(String byDefault) {
        return namespace.isBlank() ? byDefault : namespace;
    }
}
