package io.bucketwright.app.directories;

import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.DirectoryAnnotations;
import io.bucketwright.volumes.directories.DirectoryVolumes;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryArchives;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.client.KubernetesClient;
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
            "Restores an archived directory and reserves it for its claim, or for the claim in --to.",
            "A new claim of that name is bound to it if it has the annotation " + DirectoryAnnotations.REUSE_EXISTING
                    + ": \"true\".",
            "Does not replace an existing directory; can be repeated. Run it on a host where the root is mounted."
        })
final class RestoreCommand extends DirectoryRootCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = "--to",
            paramLabel = "NAMESPACE/CLAIM",
            description =
                    "Claim to reserve the directory for (default: the claim that it was archived from). Required if the"
                            + " namespace was deleted and created again.")
    private @Nullable String to;

    @Parameters(
            paramLabel = "ARCHIVE",
            description = "Name of the archive, as listed by `bucketwright directory archives`.")
    private String archive = "";

    @Override
    void run(Path root) throws IOException {
        DirectoryArchives archives = new DirectoryArchives(root);
        Marker marker = archives.find(archive);
        Marker retained = to == null ? marker.retained() : retainedFor(marker, to);
        archives.restore(archive, retained);
        out().println("Restored " + archive + " to "
                + root.resolve(retained.name().text()) + ".");
        out().println("It is reserved for claim " + retained.claim().namespace() + "/"
                + retained.claim().name() + " of class " + retained.storageClass() + " with annotation "
                + DirectoryAnnotations.REUSE_EXISTING + ": \"true\".");
    }

    private Marker retainedFor(Marker marker, String claim) {
        int slash = claim.indexOf('/');
        if (slash <= 0 || slash != claim.lastIndexOf('/') || slash == claim.length() - 1) {
            throw usageError("--to must be NAMESPACE/CLAIM, not \"" + claim + "\"");
        }
        String namespace = claim.substring(0, slash);
        String name = claim.substring(slash + 1);
        try (KubernetesClient client = server.open()) {
            String namespaceUid = RootCommand.namespaceUid(client, namespace);
            return marker.retainedFor(
                    DirectoryVolumes.name(
                            new ObjectKey(namespace, name, marker.claim().uid()), false),
                    new ClaimIdentity(namespace, name, marker.claim().uid(), namespaceUid));
        }
    }
}
