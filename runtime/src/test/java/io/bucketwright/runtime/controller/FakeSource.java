package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Source;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;

/** Objects that the test changes. */
final class FakeSource implements Source<ConfigMap> {

    private final List<CacheListener<? super ConfigMap>> listeners = new ArrayList<>();

    static ConfigMap object(String name, String uid) {
        return TestObjects.configMap(name, uid, "1");
    }

    void change(ConfigMap object) {
        listeners.forEach(listener -> listener.changed(object, object));
    }

    void change(ConfigMap before, ConfigMap after) {
        listeners.forEach(listener -> listener.changed(before, after));
    }

    void delete(ConfigMap object) {
        listeners.forEach(listener -> listener.deleted(object));
    }

    @Override
    public void listen(CacheListener<? super ConfigMap> listener) {
        listeners.add(listener);
    }

    @Override
    public boolean synced() {
        return true;
    }
}
