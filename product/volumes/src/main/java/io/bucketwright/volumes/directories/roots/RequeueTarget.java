package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.controller.Controller;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Requeues keys of a controller. Its steps are created before the controller that runs them is registered. */
public final class RequeueTarget<K> {

    private final AtomicReference<Consumer<K>> queue = new AtomicReference<>(key -> {});

    /** Call this once, with the registered controller. */
    public Controller<K> connect(Controller<K> controller) {
        queue.set(controller::add);
        return controller;
    }

    /** The caller that works on this key. The same key of another controller is another caller. */
    public RootCaller caller(K key) {
        return new RootCaller(Map.entry(this, key), () -> queue.get().accept(key));
    }
}
