package io.bucketwright.app.cosi;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.cosi.migration.CosiObjects;
import io.bucketwright.cosi.migration.ReleasedExport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
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
        Config config = server.config();
        server.requireReachable(config);
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            out().print(ReleasedExport.yaml(CosiObjects.read(client)));
            out().flush();
            return 0;
        } catch (KubernetesClientException e) {
            throw switch (e.getCode()) {
                case HttpURLConnection.HTTP_UNAUTHORIZED -> ApiServerOptions.unauthorized(e);
                case HttpURLConnection.HTTP_NOT_FOUND ->
                    new CommandException("The CustomResourceDefinitions of COSI are not installed in this cluster.", e);
                default ->
                    new CommandException(
                            "Cannot list the objects of cosi.io: " + CosiTransferCommand.reason(e) + ".", e);
            };
        }
    }
}
