package io.bucketwright.cosi.sidecar;

import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.cache.ShortWatch;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Provisioner secrets in the namespaces that an administrator selects by label, also in those that are created later. A
 * namespace is watched once a Bucket of this provisioner names a Secret in it, so that a missing permission there concerns
 * nobody else, and a namespace that nobody uses costs nothing.
 */
final class SelectedNamespaces {

    private final ObjectCaches caches;
    private final ObjectCache<Namespace> selected;
    private final Map<String, ShortWatch<Secret>> watches = new ConcurrentHashMap<>();
    private final List<CacheListener<Secret>> listeners = new CopyOnWriteArrayList<>();

    /** Selects namespaces that have all of these labels. */
    SelectedNamespaces(ObjectCaches caches, Map<String, String> labels) {
        this.caches = caches;
        Scope scope = Scope.everything();
        for (Map.Entry<String, String> label : labels.entrySet()) {
            scope = scope.labelled(label.getKey(), label.getValue());
        }
        selected = caches.of(Namespace.class, scope, MetadataTrim.NAMESPACE);
        selected.listen(last -> {
            ShortWatch<Secret> watch = watches.remove(last.getMetadata().getName());
            if (watch != null) {
                watch.close();
            }
        });
    }

    Source<Namespace> source() {
        return selected;
    }

    /** Receives the changes of all Secrets that are watched here. */
    void listen(CacheListener<Secret> listener) {
        listeners.add(listener);
    }

    /** The Secrets in a namespace; empty if it is not selected. The first call begins to list them. */
    Optional<ShortWatch<Secret>> secretsIn(String namespace) {
        return selected.get("", namespace).map(_ -> watches.computeIfAbsent(namespace, this::watch));
    }

    private ShortWatch<Secret> watch(String namespace) {
        return caches.watch(
                Secret.class,
                Scope.namespace(namespace).labelled(ProvisionerSecrets.LABEL, "true"),
                new CacheListener<Secret>() {
                    @Override
                    public void changed(Secret before, Secret after) {
                        listeners.forEach(listener -> listener.changed(before, after));
                    }

                    @Override
                    public void deleted(Secret last) {
                        listeners.forEach(listener -> listener.deleted(last));
                    }
                });
    }
}
