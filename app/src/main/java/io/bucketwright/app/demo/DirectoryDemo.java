package io.bucketwright.app.demo;

import io.bucketwright.app.Failure;
import io.bucketwright.volumes.directories.DirectoryProvisioner;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A directory as a volume: bound, released, and bound again by a second claim that finds what the first one left. */
final class DirectoryDemo {

    private final DemoCluster cluster;
    private final Path root;
    private final Steps steps;

    /** @param root where directories are made; it stays until whoever made it removes it */
    DirectoryDemo(DemoCluster cluster, Path root, Steps steps) {
        this.cluster = cluster;
        this.root = root;
        this.steps = steps;
    }

    void run() throws InterruptedException {
        steps.begin("Volumes: a class that makes directories, and a releaser that gives them back to the next claim");
        String storageClass = storageClass();
        try (DirectoryProvisioner provisioner = DirectoryProvisioner.builder()
                        .client(cluster.config())
                        .provisioner(cluster.name() + ".example/directory")
                        .classes(storageClass)
                        .root(root)
                        .build()
                        .start();
                VolumeReleaser releaser = VolumeReleaser.builder()
                        .client(cluster.config())
                        .controllerId(cluster.name())
                        .build()
                        .start()) {
            provisioner.awaitWorking();
            releaser.awaitWorking();
            steps.begin("A first claim");
            PersistentVolume volume = bind("first", storageClass);
            write(volume);
            release(volume);
            steps.begin("A second claim gets the same volume");
            PersistentVolume again = bind("second", storageClass);
            read(volume, again);
            giveBack(volume);
        }
    }

    private String storageClass() {
        String name = cluster.name() + "-directory";
        String uid = uidOfOurs();
        cluster.make(new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("reclaimable-pv-releaser.kubernetes.io/controller-id", cluster.name())
                .endMetadata()
                .withProvisioner(cluster.name() + ".example/directory")
                .withReclaimPolicy("Retain")
                .withParameters(
                        Map.of("assetRoot", root.toString(), "defaultOwnerAssetUid", uid, "defaultOwnerAssetGid", uid))
                .build());
        steps.say("StorageClass " + name + ", directories below " + root);
        return name;
    }

    /** Only root can give a directory to somebody else, and the demo needs no root. */
    private String uidOfOurs() {
        try {
            Object uid = Files.getAttribute(root, "unix:uid");
            return "0".equals(String.valueOf(uid)) ? "1000" : String.valueOf(uid);
        } catch (IOException e) {
            throw new Failure("The owner of " + root + " cannot be read: " + e.getMessage(), e);
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
        cluster.client()
                .resource(Serialization.unmarshal(yaml, PersistentVolumeClaim.class))
                .create();
        PersistentVolumeClaim bound = claim(name)
                .waitUntilCondition(
                        it -> it != null && "Bound".equals(it.getStatus().getPhase()),
                        DemoCluster.PATIENCE_SECONDS,
                        TimeUnit.SECONDS);
        steps.say("Bound after " + steps.sinceBegin() + ", volume "
                + bound.getSpec().getVolumeName());
        return volume(bound.getSpec().getVolumeName()).get();
    }

    private void write(PersistentVolume volume) {
        try {
            Files.writeString(directory(volume).resolve("cache.txt"), "worth keeping");
        } catch (IOException e) {
            throw new Failure("The volume's directory cannot be written: " + e.getMessage(), e);
        }
        steps.say("wrote cache.txt into " + directory(volume));
    }

    private void release(PersistentVolume volume) {
        steps.begin("The first claim goes; Released becomes Available, with its data");
        claim("first").delete();
        volume(volume.getMetadata().getName())
                .waitUntilCondition(
                        it -> "Available".equals(phase(it)), DemoCluster.PATIENCE_SECONDS, TimeUnit.SECONDS);
        steps.say("Available after " + steps.sinceBegin());
    }

    private void read(PersistentVolume first, PersistentVolume second) {
        if (!first.getMetadata().getUid().equals(second.getMetadata().getUid())) {
            throw new Failure("The second claim got another volume; please report this.");
        }
        try {
            steps.say("reads cache.txt: \"" + Files.readString(directory(second).resolve("cache.txt")) + "\"");
        } catch (IOException e) {
            throw new Failure("The volume's directory cannot be read: " + e.getMessage(), e);
        }
    }

    private void giveBack(PersistentVolume volume) {
        steps.begin("The second claim goes too, and an administrator changes the volume's policy to Delete");
        String name = volume.getMetadata().getName();
        volume(name).edit(it -> {
            it.getSpec().setPersistentVolumeReclaimPolicy("Delete");
            return it;
        });
        claim("second").delete();
        volume(name).waitUntilCondition(it -> it == null, DemoCluster.PATIENCE_SECONDS, TimeUnit.SECONDS);
        steps.say(Files.exists(directory(volume)) ? "The directory is still there." : "Volume and directory are gone.");
    }

    private static @Nullable String phase(@Nullable PersistentVolume volume) {
        return Optional.ofNullable(volume).map(it -> it.getStatus().getPhase()).orElse(null);
    }

    private static Path directory(PersistentVolume volume) {
        return Path.of(volume.getSpec().getHostPath().getPath());
    }

    private Resource<PersistentVolumeClaim> claim(String name) {
        return cluster.client()
                .persistentVolumeClaims()
                .inNamespace(cluster.name())
                .withName(name);
    }

    private Resource<PersistentVolume> volume(String name) {
        return cluster.client().persistentVolumes().withName(name);
    }
}
