package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Source;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects that the test changes. */
final class FakeSource implements Source<ConfigMap> {

    private final Map<String, ConfigMap> objects = new LinkedHashMap<>();
    private final List<CacheListener<? super ConfigMap>> listeners = new ArrayList<>();

    static ConfigMap object(String name, String uid) {
        return TestObjects.configMap(name, uid, "1");
    }

    void change(ConfigMap object) {
        objects.put(object.getMetadata().getName(), object);
        listeners.forEach(listener -> listener.changed(object, object));
    }

    void change(ConfigMap before, ConfigMap after) {
        objects.put(after.getMetadata().getName(), after);
        listeners.forEach(listener -> listener.changed(before, after));
    }

    void delete(ConfigMap object) {
        objects.remove(object.getMetadata().getName());
        listeners.forEach(listener -> listener.deleted(object));
    }

    @Override
    public void listen(CacheListener<? super ConfigMap> listener) {
        listeners.add(listener);
    }

    @Override
    public List<ConfigMap> list() {
        return List.copyOf(objects.values());
    }

    @Override
    public boolean synced() {
        return true;
    }
}
