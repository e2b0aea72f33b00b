package io.bucketwright.app.directories;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.volumes.directories.files.DirectoryMarkers;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command for the directories below a root, which also asks the cluster whether they are in use. */
abstract class RootCommand extends DirectoryRootCommand {

    static final String NAME_DESCRIPTION = "Name of the directory, as listed by `bucketwright directory list`.";

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Override
    final void run(Path root) throws IOException {
        try (KubernetesClient client = server.open()) {
            run(root, new DirectoryMarkers(root), client);
        }
    }

    abstract void run(Path root, DirectoryMarkers markers, KubernetesClient client) throws IOException;

    /** The id of the cluster: the uid of the namespace kube-system. */
    static String clusterId(KubernetesClient client) {
        return namespaceUid(client, "kube-system");
    }

    static String namespaceUid(KubernetesClient client, String name) {
        var found = client.namespaces().withName(name).get();
        if (found == null) {
            throw new CommandException("Namespace " + name + " does not exist.");
        }
        return found.getMetadata().getUid();
    }

    static boolean hasVolume(KubernetesClient client, Marker marker) {
        return client.persistentVolumes().withName(marker.name().text()).get() != null;
    }

    static boolean hasClaim(KubernetesClient client, Marker marker) {
        @Nullable
        PersistentVolumeClaim claim = client.persistentVolumeClaims()
                .inNamespace(marker.claim().namespace())
                .withName(marker.claim().name())
                .get();
        return claim != null && marker.claim().uid().equals(claim.getMetadata().getUid());
    }

    /** The marker of a directory. Fails if the directory is in use, or if another cluster may use it. */
    static Marker requireUnused(KubernetesClient client, DirectoryMarkers markers, String name) throws IOException {
        Marker marker = markers.find(new DirectoryName(name));
        if (!marker.cluster().equals(clusterId(client))) {
            throw new CommandException(
                    "Directory " + marker.name() + " was created by another cluster, " + marker.cluster()
                            + ", which may use it. If this cluster replaces that one, run bucketwright directory adopt first.");
        }
        if (hasVolume(client, marker)) {
            throw new CommandException("PersistentVolume " + marker.name() + " exists, so its directory is in use."
                    + " Delete the volume first.");
        }
        if (hasClaim(client, marker)) {
            throw new CommandException("Claim " + marker.claim().namespace() + "/"
                    + marker.claim().name() + " exists, and the directory is created for it. Delete the claim first.");
        }
        return marker;
    }
}
