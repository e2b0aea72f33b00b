package io.bucketwright.app.directories;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.DirectoryAnnotations;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright directory abandon}. */
@Command(
        name = "abandon",
        mixinStandardHelpOptions = true,
        description = {
            "Gives up the directories of a lost disk or node: their volumes are deleted without their directories when they"
                    + " are released, and the root can be used with a new disk.",
            "Lists the volumes; --yes annotates them with " + DirectoryAnnotations.ABANDONED + ": \"true\"."
        })
final class DirectoryAbandonCommand extends BaseCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(names = "--root-id", paramLabel = "ID", description = "All volumes of the root with this id.")
    private String rootId = "";

    @Option(names = "--node", paramLabel = "NODE", description = "All local volumes of this node.")
    private String node = "";

    @Option(names = "--yes", description = "Confirms that the directories are lost.")
    private boolean confirmed;

    @Parameters(arity = "0..*", paramLabel = "VOLUME", description = "Names of PersistentVolumes.")
    private List<String> names = new ArrayList<>();

    @Override
    public Integer call() {
        if ((rootId.isEmpty() ? 0 : 1) + (node.isEmpty() ? 0 : 1) + (names.isEmpty() ? 0 : 1) != 1) {
            throw usageError("Use one of --root-id, --node and names of volumes");
        }
        KubernetesClient client = server.open();
        try (client) {
            List<PersistentVolume> volumes = client.persistentVolumes().list().getItems().stream()
                    .filter(this::isWanted)
                    .toList();
            if (volumes.isEmpty()) {
                throw new CommandException("There is no such volume of the directory provisioner.");
            }
            requireAll(volumes);
            volumes.forEach(volume -> abandon(client, volume));
            if (!confirmed) {
                out().println("Nothing was changed. Add --yes to give up these directories.");
            }
        }
        return 0;
    }

    /** A misspelled name would leave its volume waiting for a disk that is lost. */
    private void requireAll(List<PersistentVolume> volumes) {
        List<String> known =
                volumes.stream().map(volume -> volume.getMetadata().getName()).toList();
        String unknown = names.stream().filter(name -> !known.contains(name)).collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            throw new CommandException(
                    "There is no volume " + unknown + " of the directory provisioner. Nothing was changed.");
        }
    }

    private boolean isWanted(PersistentVolume volume) {
        String root = Metadata.annotation(volume, DirectoryAnnotations.ROOT);
        return !root.isEmpty()
                && (root.equals(rootId)
                        || names.contains(volume.getMetadata().getName())
                        || (!node.isEmpty() && node.equals(Metadata.annotation(volume, DirectoryAnnotations.NODE))));
    }

    private void abandon(KubernetesClient client, PersistentVolume volume) {
        String name = volume.getMetadata().getName();
        String claim = volume.getSpec().getClaimRef() == null
                ? "no claim"
                : volume.getSpec().getClaimRef().getNamespace() + "/"
                        + volume.getSpec().getClaimRef().getName();
        if (confirmed) {
            // A patch without resourceVersion: the controllers may change the volume at the same time.
            String patch = Serialization.asJson(Map.of(
                    "metadata",
                    Map.of(
                            "uid",
                            volume.getMetadata().getUid(),
                            "annotations",
                            Map.of(DirectoryAnnotations.ABANDONED, "true"))));
            PersistentVolume _ =
                    client.persistentVolumes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        }
        out().println((confirmed ? "Abandoned volume " : "Volume ") + name + "  " + claim);
    }
}
