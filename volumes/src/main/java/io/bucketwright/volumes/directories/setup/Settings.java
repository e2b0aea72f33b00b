package io.bucketwright.volumes.directories.setup;

import io.bucketwright.volumes.directories.classes.Backing;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the provisioner is told.
 *
 * @param classes names of the classes it serves; empty for all of its provisioner's
 * @param provisioner the name that classes call it by; empty to take it from the classes named
 * @param defaultRoot where directories of classes without a root of their own are; null if all have one
 * @param roots of single classes
 * @param namespace whose claims are served; empty for all
 * @param node whose disk this process serves; empty for shared roots
 * @param clusterId the uid of kube-system
 */
public record Settings(
        Set<String> classes,
        String provisioner,
        @Nullable Path defaultRoot,
        Map<String, Path> roots,
        String namespace,
        String node,
        Supplier<String> clusterId) {

    public Settings {
        classes = Set.copyOf(classes);
        roots = Map.copyOf(roots);
        if (classes.isEmpty() && provisioner.isEmpty()) {
            throw new IllegalArgumentException("A directory provisioner needs the names of its classes or its own");
        }
        if (defaultRoot == null && roots.isEmpty()) {
            throw new IllegalArgumentException("A directory provisioner needs a root to make directories in");
        }
    }

    public boolean servesNamespace(String name) {
        return namespace.isEmpty() || namespace.equals(name);
    }

    /** Whether a class of that name and provisioner is one of ours. */
    public boolean servesClass(String name, String itsProvisioner) {
        return (classes.isEmpty() || classes.contains(name))
                && (provisioner.isEmpty() || provisioner.equals(itsProvisioner));
    }

    /** A process for one node serves its disk alone, all others serve what is shared. */
    public boolean servesBacking(Backing backing) {
        return backing instanceof Backing.Local != node.isEmpty();
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
