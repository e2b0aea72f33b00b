package io.bucketwright.volumes.directories.classes;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which classes and claims this process serves, and where their directories are.
 *
 * @param classes names of the StorageClasses to serve; empty for all classes of the provisioner
 * @param provisioner the provisioner that the classes must name; empty for any
 * @param defaultRoot the root of classes that have no root of their own; null if all have one
 * @param roots the roots of single classes
 * @param namespace the namespace whose claims are served; empty for all
 * @param node the node whose disk this process serves; empty for shared roots
 */
public record DirectorySettings(
        Set<String> classes,
        String provisioner,
        @Nullable Path defaultRoot,
        Map<String, Path> roots,
        String namespace,
        String node) {

    public DirectorySettings {
        classes = Set.copyOf(classes);
        roots = Map.copyOf(roots);
        if (classes.isEmpty() && provisioner.isEmpty()) {
            throw new IllegalArgumentException("A directory provisioner needs a provisioner name or class names");
        }
        if (defaultRoot == null && roots.isEmpty()) {
            throw new IllegalArgumentException("A directory provisioner needs a root directory");
        }
    }

    public boolean servesNamespace(String name) {
        return namespace.isEmpty() || namespace.equals(name);
    }

    public boolean servesClass(String name, String classProvisioner) {
        return (classes.isEmpty() || classes.contains(name))
                && (provisioner.isEmpty() || provisioner.equals(classProvisioner));
    }

    /** A process for one node serves local volumes only; every other process serves shared volumes only. */
    public boolean serves(DirectoryVolumeSource source) {
        return source instanceof DirectoryVolumeSource.Local != node.isEmpty();
    }

    public Optional<Path> rootOf(String storageClass) {
        return Optional.ofNullable(roots.getOrDefault(storageClass, defaultRoot));
    }

    public Set<Path> allRoots() {
        Set<Path> all = new LinkedHashSet<>(roots.values());
        if (defaultRoot != null) {
            all.add(defaultRoot);
        }
        return all;
    }
}
