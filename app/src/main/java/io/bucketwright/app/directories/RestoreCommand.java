package io.bucketwright.app.directories;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.app.controller.ApiServerOptions;
import io.bucketwright.volumes.directories.files.DirectoryArchives;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.objects.VolumeNaming;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright directory restore}. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Puts an archived directory back below its root, kept for its claim, or for the one named by --to.",
            "A claim of that name gets it if it bears the annotation " + DirectoryAnnotations.REUSE_EXISTING + ": \"true\".",
            "Replaces nothing, and can be repeated. Run it where the root is mounted, as the provisioner runs."
        })
final class RestoreCommand extends AnsweringCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = "--storage-asset-root",
            required = true,
            paramLabel = "DIR",
            description = "The root, as the provisioner sees it.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path root;

    @Option(
            names = "--to",
            paramLabel = "NAMESPACE/CLAIM",
            description =
                    "Another claim than the one it was archived from; also needed if its namespace was deleted and"
                            + " made again. Asks the API server for the namespace.")
    private @Nullable String to;

    @Parameters(paramLabel = "ARCHIVE", description = "As `bucketwright directory archives` lists it.")
    private String archive = "";

    @Override
    public Integer call() {
        try {
            DirectoryArchives archives = new DirectoryArchives(root);
            Marker marker = archives.find(archive);
            Marker retained = to == null ? marker.retained() : retainedFor(marker, to);
            archives.restore(archive, retained);
            out().println("Restored " + archive + " to "
                    + root.resolve(retained.name().text()) + ".");
            out().println("It waits for the claim " + retained.claim().namespace() + "/"
                    + retained.claim().name() + " of class " + retained.storageClass() + " with annotation "
                    + DirectoryAnnotations.REUSE_EXISTING + ": \"true\".");
            return 0;
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new Failure(e.getMessage() + ".", e);
        }
    }

    private Marker retainedFor(Marker marker, String claim) {
        int slash = claim.indexOf('/');
        if (slash <= 0 || slash != claim.lastIndexOf('/') || slash == claim.length() - 1) {
            throw wrongUsage("--to must be NAMESPACE/CLAIM, not \"" + claim + "\"");
        }
        String namespace = claim.substring(0, slash);
        String name = claim.substring(slash + 1);
        Config config = server.config();
        server.requireReachable(config);
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            @Nullable Namespace found = client.namespaces().withName(namespace).get();
            if (found == null) {
                throw new Failure("There is no namespace " + namespace + ".");
            }
            return marker.retainedFor(
                    VolumeNaming.of(namespace, name, marker.claim().uid(), false),
                    new ClaimIdentity(
                            namespace,
                            name,
                            marker.claim().uid(),
                            found.getMetadata().getUid()));
        }
    }
}
