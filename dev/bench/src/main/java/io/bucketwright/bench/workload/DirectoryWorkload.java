package io.bucketwright.bench.workload;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.cluster.BenchCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * PersistentVolumeClaims for directories, which the binder of Kubernetes binds.
 *
 * @param launcher the installed command
 */
public record DirectoryWorkload(String launcher, int workers) implements Workload {

    @Override
    public String name() {
        return "directories";
    }

    @Override
    public String title() {
        return "PersistentVolumeClaims for directories";
    }

    @Override
    public void prepare(BenchCluster cluster) {
        cluster.deploy("directories-rbac.yaml");
        cluster.createStorageClass(
                storageClass(cluster),
                provisioner(cluster),
                Map.of(
                        "assetRoot",
                        root(cluster).toString(),
                        "defaultOwnerAssetUid",
                        owner(cluster),
                        "defaultOwnerAssetGid",
                        owner(cluster)));
    }

    @Override
    public List<RoleCommand> roles(BenchCluster cluster) {
        return List.of(new RoleCommand(
                "directories",
                "bucketwright-directories",
                List.of(
                        launcher,
                        "directory-provisioner",
                        "--storage-class=" + storageClass(cluster),
                        "--storage-asset-root=" + root(cluster),
                        "--provisioner=" + provisioner(cluster),
                        "--namespace=" + cluster.namespace(),
                        "--lease-namespace=" + cluster.namespace(),
                        "--workers=" + workers),
                1));
    }

    @Override
    public List<NewObject> objects(BenchCluster cluster, String name) {
        return List.of(new NewObject(path(cluster), """
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%s","namespace":"%s"},\
                "spec":{"storageClassName":"%s","accessModes":["ReadWriteOnce"],\
                "resources":{"requests":{"storage":"1Mi"}}}}""".formatted(name, cluster.namespace(), storageClass(cluster))));
    }

    @Override
    public WatchGoal bound(BenchCluster cluster) {
        return WatchGoal.phase(path(cluster), "Bound");
    }

    @Override
    public WatchGoal deleted(BenchCluster cluster) {
        return new WatchGoal(
                "/api/v1/persistentvolumes",
                event -> event.isDeletion()
                                && event.object()
                                        .at("/spec/claimRef/namespace")
                                        .asText()
                                        .equals(cluster.namespace())
                        ? Optional.of(event.object().at("/spec/claimRef/name").asText())
                        : Optional.empty());
    }

    private static String path(BenchCluster cluster) {
        return "/api/v1/namespaces/" + cluster.namespace() + "/persistentvolumeclaims";
    }

    private static String storageClass(BenchCluster cluster) {
        return cluster.namespace() + "-directories";
    }

    private static String provisioner(BenchCluster cluster) {
        return cluster.namespace() + ".bench/directory";
    }

    private static Path root(BenchCluster cluster) {
        return cluster.processes().file("volumes");
    }

    /** Only root can change the owner of a directory, and the bench does not require root. */
    private static String owner(BenchCluster cluster) {
        try {
            String uid = String.valueOf(Files.getAttribute(root(cluster), "unix:uid"));
            return uid.equals("0") ? "1000" : uid;
        } catch (IOException e) {
            throw new CommandException("Cannot read the owner of " + root(cluster) + ": " + e.getMessage() + ".", e);
        }
    }
}
