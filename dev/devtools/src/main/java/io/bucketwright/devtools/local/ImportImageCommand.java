package io.bucketwright.devtools.local;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright local import-image}. */
@Command(
        name = "import-image",
        mixinStandardHelpOptions = true,
        description = "Imports a container image on the node of the cluster, where pods can use it with imagePullPolicy"
                + " Never or IfNotPresent.")
final class ImportImageCommand extends LocalToolCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Parameters(
            paramLabel = "ARCHIVE",
            description =
                    "Archive in the OCI image layout or of `docker save`, such as the one of `bucketwright image`.")
    private Path archive = Path.of("");

    @Override
    protected int run() {
        directory.cluster().importImage(archive.toAbsolutePath());
        out().println("Imported " + archive + ".");
        return 0;
    }
}
