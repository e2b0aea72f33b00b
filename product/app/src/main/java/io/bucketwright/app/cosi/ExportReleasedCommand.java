package io.bucketwright.app.cosi;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.cosi.migration.CosiObjects;
import io.bucketwright.cosi.migration.ReleasedExport;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright cosi export-released}. */
@Command(
        name = "export-released",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the objects of cosi.io as manifests of the released kinds (objectstorage.k8s.io), for"
                    + " `kubectl apply -f -`. Buckets stay where they are; accesses get new Secrets. Comments name what has"
                    + " no equivalent.",
            "Changes nothing. Requires permission to list the objects of cosi.io. See"
                    + " docs/coming-from-upstream-cosi.md."
        })
final class ExportReleasedCommand extends BaseCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Override
    public Integer call() {
        KubernetesClient client = server.open();
        try (client) {
            out().print(ReleasedExport.yaml(CosiObjects.read(client)));
            out().flush();
            return 0;
        } catch (KubernetesClientException e) {
            throw CosiTransferCommand.failure("list the objects of cosi.io", e);
        }
    }
}
