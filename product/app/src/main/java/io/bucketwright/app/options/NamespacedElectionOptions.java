package io.bucketwright.app.options;

import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import picocli.CommandLine.Option;

/** Leader election with a Lease in a namespace of the user's choice. */
public class NamespacedElectionOptions extends LeaderElectionOptions {

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace of the Lease (default: the namespace of the pod or of the kubeconfig's context).")
    private String namespace = "";

    @Override
    public void apply(ControllerProcessBuilder<?> builder, String ownNamespace, String name) {
        super.apply(builder, namespace.isBlank() ? ownNamespace : namespace, name);
    }
}
