package io.bucketwright.devtools.demo;

import io.bucketwright.app.command.CommandException;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A directory volume that is bound, released, and bound again with its data by a second claim.
 *
 * @param root directory in which volumes are created; it is deleted with the cluster
 */
record DirectoryDemo(DemoCluster cluster, Path root, DemoControllers controllers, DemoSteps steps) {

    DirectoryDemo(DemoCluster cluster, DemoControllers controllers, DemoSteps steps) {
        this(cluster, controllers.folder(), controllers, steps);
    }

    void run() {
        steps.begin(
                "Volumes: start a directory provisioner and a releaser that makes released volumes available again");
        String storageClass = storageClass();
        controllers.start(
                cluster,
                DemoPart.VOLUMES,
                List.of(
                        new DemoController(
                                "directory-provisioner",
                                List.of(
                                        "directory-provisioner",
                                        "--provisioner=" + cluster.name() + ".example/directory",
                                        "--storage-class=" + storageClass,
                                        "--storage-asset-root=" + root)),
                        new DemoController(
                                "pv-releaser",
                                List.of("controller", "--only=releaser", "--controller-id=" + cluster.name()))));
        steps.begin("Create a first claim");
        PersistentVolume volume = bind("first", storageClass);
        write(volume);
        release(volume);
        steps.begin("Create a second claim; it is bound to the same volume");
        PersistentVolume again = bind("second", storageClass);
        read(volume, again);
        if (!cluster.keep()) {
            delete(volume);
        }
    }

    /** The StorageClass of a demo with this name. */
    static String className(String demo) {
        return demo + "-directory";
    }

    private String storageClass() {
        String name = className(cluster.name());
        String uid = ownUid();
        cluster.create(new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("reclaimable-pv-releaser.kubernetes.io/controller-id", cluster.name())
                .endMetadata()
                .withProvisioner(cluster.name() + ".example/directory")
                .withReclaimPolicy("Retain")
                .withParameters(
                        Map.of("assetRoot", root.toString(), "defaultOwnerAssetUid", uid, "defaultOwnerAssetGid", uid))
                .build());
        steps.print("StorageClass " + name + ", directories below " + root);
        return name;
    }

    /** Only root can change the owner of a directory, and the demo does not require root. */
    private String ownUid() {
        try {
            Object uid = Files.getAttribute(root, "unix:uid");
            return "0".equals(String.valueOf(uid)) ? "1000" : String.valueOf(uid);
        } catch (IOException e) {
            throw new CommandException("Cannot read the owner of " + root + ": " + e.getMessage(), e);
        }
    }

    private PersistentVolume bind(String name, String storageClass) {
        String yaml = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: %s, namespace: %s}
            spec:
              storageClassName: %s
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Mi}}
            """.formatted(name, cluster.name(), storageClass);
        steps.show(yaml);
        PersistentVolumeClaim created = cluster.apply(yaml, PersistentVolumeClaim.class);
        PersistentVolumeClaim bound = cluster.await(
                "claim " + name + " to be Bound",
                cluster.client().resource(created),
                claim -> "Bound".equals(claim.getStatus().getPhase()));
        steps.print("Bound after " + steps.sinceBegin() + ", volume "
                + bound.getSpec().getVolumeName());
        return volume(bound.getSpec().getVolumeName()).get();
    }

    private void write(PersistentVolume volume) {
        try {
            Files.writeString(directory(volume).resolve("cache.txt"), "worth keeping");
        } catch (IOException e) {
            throw new CommandException("Cannot write to the directory of the volume: " + e.getMessage(), e);
        }
        steps.print("wrote cache.txt into " + directory(volume));
    }

    private void release(PersistentVolume volume) {
        steps.begin("Delete the first claim; its volume becomes Released and then Available, with its data");
        cluster.object(PersistentVolumeClaim.class, "first").delete();
        PersistentVolume _ = cluster.await(
                "the volume to be Available",
                volume(volume.getMetadata().getName()),
                released -> "Available".equals(released.getStatus().getPhase()));
        steps.print("Available after " + steps.sinceBegin());
    }

    private void read(PersistentVolume first, PersistentVolume second) {
        if (!first.getMetadata().getUid().equals(second.getMetadata().getUid())) {
            throw new CommandException("The second claim was bound to another volume; please report this.");
        }
        try {
            steps.print(
                    "reads cache.txt: \"" + Files.readString(directory(second).resolve("cache.txt")) + "\"");
        } catch (IOException e) {
            throw new CommandException("Cannot read the directory of the volume: " + e.getMessage(), e);
        }
    }

    private void delete(PersistentVolume volume) {
        steps.begin("Change the reclaim policy of the volume to Delete, and delete the second claim");
        String name = volume.getMetadata().getName();
        // A patch without resourceVersion: the binder may change the volume at the same time.
        PersistentVolume _ = volume(name)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("spec", Map.of("persistentVolumeReclaimPolicy", "Delete"))));
        cluster.object(PersistentVolumeClaim.class, "second").delete();
        cluster.awaitDeleted("volume " + name, volume(name));
        steps.print(
                Files.exists(directory(volume)) ? "The directory still exists." : "Volume and directory are deleted.");
    }

    private static Path directory(PersistentVolume volume) {
        return Path.of(volume.getSpec().getHostPath().getPath());
    }

    private Resource<PersistentVolume> volume(String name) {
        return cluster.client().persistentVolumes().withName(name);
    }
}
