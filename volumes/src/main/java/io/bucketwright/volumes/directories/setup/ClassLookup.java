package io.bucketwright.volumes.directories.setup;

import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.InvalidClass;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Classes, each read once in its life. */
public final class ClassLookup {

    private final ObjectCache<StorageClass> classes;
    private final Settings settings;
    private final Map<String, ClassView> read = new ConcurrentHashMap<>();

    public ClassLookup(ObjectCache<StorageClass> classes, Settings settings) {
        this.classes = classes;
        this.settings = settings;
        classes.listen(new CacheListener<>() {
            @Override
            public void changed(StorageClass before, StorageClass after) {
                // Nothing that we read of a class can change.
            }

            @Override
            public void deleted(StorageClass last) {
                read.remove(last.getMetadata().getUid());
            }
        });
    }

    public ClassView of(String name) {
        return classes.get("", name)
                .filter(found -> settings.servesClass(name, found.getProvisioner()))
                .map(found -> read.computeIfAbsent(found.getMetadata().getUid(), _ -> read(found)))
                .orElseGet(ClassView.NotOurs::new);
    }

    private ClassView read(StorageClass found) {
        String name = found.getMetadata().getName();
        Optional<Path> root = settings.rootOf(name);
        if (root.isEmpty()) {
            return new ClassView.Wrong(
                    found.getProvisioner(), "the provisioner was given no --storage-asset-root for this class");
        }
        try {
            DirectoryClass ours = DirectoryClass.read(found, root.get());
            return settings.servesBacking(ours.backing()) ? new ClassView.Ours(ours) : new ClassView.NotOurs();
        } catch (InvalidClass e) {
            return new ClassView.Wrong(found.getProvisioner(), String.valueOf(e.getMessage()));
        }
    }
}
