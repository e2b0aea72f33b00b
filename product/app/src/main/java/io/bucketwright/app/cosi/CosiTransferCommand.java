package io.bucketwright.app.cosi;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.cosi.transfer.BucketTransfers;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright cosi transfer}. Only an administrator knows that the former cluster no longer exists. */
@Command(
        name = "transfer",
        mixinStandardHelpOptions = true,
        description = {
            "Transfers the buckets of a former cluster to the Buckets that were restored in this cluster, and permits the"
                    + " namespaces of the same names to use them.",
            "The sidecar of the provisioner transfers the buckets in the store, and the keys of the former cluster stop"
                    + " working. Make sure that the former cluster no longer uses the buckets. Requires permission to list"
                    + " BucketRequests of all namespaces, to read Namespaces, and to list and patch Buckets. See"
                    + " docs/backup-and-restore.md."
        })
final class CosiTransferCommand extends BaseCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = "--provisioner",
            required = true,
            paramLabel = "NAMESPACE/NAME",
            description = "Provisioner of the Buckets.")
    private String provisioner = "";

    @Mixin
    private AddedOption<String> fromCluster = AddedOption.fromCluster();

    @Parameters(
            arity = "0..*",
            paramLabel = "BUCKET",
            description = "Names of Buckets (default: all restored Buckets of the provisioner).")
    private List<String> names = new ArrayList<>();

    @Override
    public Integer call() {
        KubernetesClient client = server.open();
        try (client) {
            BucketTransfers transfers = new BucketTransfers(client, fromCluster.value());
            if (transfers.thisCluster().equals(fromCluster.value())) {
                throw usageError("--from-cluster is the id of this cluster");
            }
            List<Bucket> restored = transfers.restored(provisioner);
            requireRestored(restored);
            if (restored.isEmpty()) {
                out().println("No Bucket of provisioner " + provisioner + " waits for a transfer.");
            }
            boolean complete = true;
            for (Bucket bucket : restored) {
                if (names.isEmpty() || names.contains(bucket.getMetadata().getName())) {
                    complete &= request(transfers, bucket);
                }
            }
            return complete ? 0 : 1;
        } catch (Invalid e) {
            throw usageError(e);
        } catch (KubernetesClientException e) {
            throw failure("transfer Buckets", e);
        }
    }

    private boolean request(BucketTransfers transfers, Bucket bucket) {
        String name = "Bucket " + bucket.getMetadata().getName();
        try {
            transfers.request(bucket);
            out().println(name + ": transfer from cluster " + fromCluster.value() + " requested");
            return true;
        } catch (KubernetesClientException e) {
            out().println(name + ": not transferred: " + ApiServerOptions.reason(e));
            return false;
        }
    }

    /** @param what the action, as in "Cannot transfer Buckets" */
    static CommandException failure(String what, KubernetesClientException e) {
        return switch (e.getCode()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED -> ApiServerOptions.unauthorized(e);
            case HttpURLConnection.HTTP_NOT_FOUND ->
                new CommandException("The CustomResourceDefinitions of COSI are not installed in this cluster.", e);
            default -> new CommandException("Cannot " + what + ": " + ApiServerOptions.reason(e) + ".", e);
        };
    }

    private void requireRestored(List<Bucket> restored) {
        List<String> known =
                restored.stream().map(bucket -> bucket.getMetadata().getName()).toList();
        String unknown = names.stream().filter(name -> !known.contains(name)).collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            throw new CommandException("Cannot transfer " + unknown + ": no Bucket of provisioner " + provisioner
                    + " with this name was restored from another cluster, or it is transferred already.");
        }
    }
}
