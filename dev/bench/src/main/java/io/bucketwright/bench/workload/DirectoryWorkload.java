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
public record DirectoryWorkload(BenchCluster cluster, String launcher, int workers) implements Workload {

    @Override
    public String name() {
        return "directories";
    }

    @Override
    public String title() {
        return "PersistentVolumeClaims for directories";
    }

    @Override
    public void prepare() {
        cluster.deploy("directories-rbac.yaml");
        cluster.createStorageClass(
                storageClass(),
                provisioner(),
                Map.of(
                        "assetRoot",
                        root().toString(),
                        "defaultOwnerAssetUid",
                        owner(),
                        "defaultOwnerAssetGid",
                        owner()));
    }

    @Override
    public List<RoleCommand> roles() {
        return List.of(new RoleCommand(
                "directories",
                "bucketwright-directories",
                List.of(
                        launcher,
                        "directory-provisioner",
                        "--storage-class=" + storageClass(),
                        "--storage-asset-root=" + root(),
                        "--provisioner=" + provisioner(),
                        "--namespace=" + cluster.namespace(),
                        "--lease-namespace=" + cluster.namespace(),
                        "--workers=" + workers),
                1));
    }

    @Override
    public List<NewObject> objects(String name) {
        return List.of(new NewObject(path(), """
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%s","namespace":"%s"},\
                "spec":{"storageClassName":"%s","accessModes":["ReadWriteOnce"],\
                "resources":{"requests":{"storage":"1Mi"}}}}""".formatted(name, cluster.namespace(), storageClass())));
    }

    @Override
    public WatchGoal bound() {
        return WatchGoal.phase(path(), "Bound");
    }

    @Override
    public WatchGoal deleted() {
        return new WatchGoal(
                "/api/v1/persistentvolumes",
                event -> event.isDeletion()
                                && event.text("spec", "claimRef", "namespace").equals(cluster.namespace())
                        ? Optional.of(event.text("spec", "claimRef", "name"))
                        : Optional.empty());
    }

    private String path() {
        return "/api/v1/namespaces/" + cluster.namespace() + "/persistentvolumeclaims";
    }

    private String storageClass() {
        return cluster.namespace() + "-directories";
    }

    private String provisioner() {
        return cluster.namespace() + ".bench/directory";
    }

    private Path root() {
        return cluster.processes().file("volumes");
    }

    /** Only root can change the owner of a directory, and the bench does not require root. */
    private String owner() {
        try {
            String uid = String.valueOf(Files.getAttribute(root(), "unix:uid"));
            return uid.equals("0") ? "1000" : uid;
        } catch (IOException e) {
            throw new CommandException("Cannot read the owner of " + root() + ": " + e.getMessage() + ".", e);
        }
    }
}
