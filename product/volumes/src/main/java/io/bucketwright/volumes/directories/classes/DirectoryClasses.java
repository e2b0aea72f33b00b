package io.bucketwright.volumes.directories.classes;

import io.bucketwright.runtime.cache.ObjectCache;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The StorageClasses, each parsed once: what is read of a class is immutable. */
public final class DirectoryClasses {

    private final ObjectCache<StorageClass> classes;
    private final DirectorySettings settings;
    private final Map<String, ResolvedClass> byUid = new ConcurrentHashMap<>();

    public DirectoryClasses(ObjectCache<StorageClass> classes, DirectorySettings settings) {
        this.classes = classes;
        this.settings = settings;
        classes.listen(last -> byUid.remove(last.getMetadata().getUid()));
    }

    public ResolvedClass resolve(String name) {
        return classes.get("", name)
                .filter(found -> settings.servesClass(name, found.getProvisioner()))
                .map(found -> byUid.computeIfAbsent(found.getMetadata().getUid(), _ -> parse(found)))
                .orElseGet(ResolvedClass.NotServed::new);
    }

    private ResolvedClass parse(StorageClass found) {
        Optional<Path> root = settings.rootOf(found.getMetadata().getName());
        if (root.isEmpty()) {
            return new ResolvedClass.Invalid(
                    found.getProvisioner(), "the provisioner has no --storage-asset-root for this class");
        }
        try {
            DirectoryClass parsed = DirectoryClass.parse(found, root.get());
            if (settings.serves(parsed.source())) {
                return new ResolvedClass.Served(parsed);
            }
            return settings.node().isEmpty()
                    ? new ResolvedClass.NodeLocal(parsed.provisioner())
                    : new ResolvedClass.NotServed();
        } catch (InvalidClassException e) {
            return new ResolvedClass.Invalid(found.getProvisioner(), String.valueOf(e.getMessage()));
        }
    }
}
