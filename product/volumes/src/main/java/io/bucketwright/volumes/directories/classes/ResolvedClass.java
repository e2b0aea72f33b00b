package io.bucketwright.volumes.directories.classes;

import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.file.Path;
import java.util.Optional;

/** The StorageClass of a claim, as this process serves it. */
public sealed interface ResolvedClass {

    static ResolvedClass of(StorageClass storageClass, DirectorySettings settings) {
        String name = storageClass.getMetadata().getName();
        String provisioner = storageClass.getProvisioner();
        if (!settings.servesClass(name, provisioner)) {
            return new NotServed();
        }
        Optional<Path> root = settings.rootOf(name);
        if (root.isEmpty()) {
            return new Invalid(provisioner, "the provisioner has no --storage-asset-root for this class");
        }
        try {
            DirectoryClass parsed = DirectoryClass.parse(storageClass, root.get());
            if (settings.serves(parsed.source())) {
                return new Served(parsed);
            }
            return settings.node().isEmpty() ? new NodeLocal(provisioner) : new NotServed();
        } catch (InvalidClassException e) {
            return new Invalid(provisioner, String.valueOf(e.getMessage()));
        }
    }

    /** The claim names no class, the class does not exist, or another provisioner serves it. */
    record NotServed() implements ResolvedClass {}

    /** This process serves the class, but its parameters are invalid. */
    record Invalid(String provisioner, String problem) implements ResolvedClass {}

    /** The volumes of the class are on the disks of nodes; a process on each node serves them, and this process has no node. */
    record NodeLocal(String provisioner) implements ResolvedClass {}

    record Served(DirectoryClass directoryClass) implements ResolvedClass {}
}
