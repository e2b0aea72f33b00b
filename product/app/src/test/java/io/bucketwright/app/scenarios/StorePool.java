package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Stores that the tests of a class use one after the other: to start Ceph costs more CPU time than what a test does with it.
 * No two tests use a store at the same time. It is not empty for the second one.
 */
final class StorePool implements AutoCloseable {

    private final Map<StoreKind, Deque<LocalStore>> free = new EnumMap<>(StoreKind.class);
    private final List<LocalStore> all = new ArrayList<>();

    /** A store that no other test uses. */
    LocalStore take(StoreKind kind) {
        synchronized (this) {
            LocalStore found = free.getOrDefault(kind, new ArrayDeque<>()).poll();
            if (found != null) {
                return found;
            }
        }
        LocalStore started = LocalStore.start(kind);
        synchronized (this) {
            all.add(started);
        }
        return started;
    }

    synchronized void giveBack(StoreKind kind, LocalStore store) {
        free.computeIfAbsent(kind, _ -> new ArrayDeque<>()).push(store);
    }

    @Override
    public synchronized void close() {
        all.forEach(LocalStore::close);
    }

    /** Resolves the pool of a class as a parameter. */
    static final class Provider implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == StorePool.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            ExtensionContext ofClass = context;
            while (ofClass.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
                ofClass = ofClass.getParent().orElseThrow();
            }
            return ofClass.getStore(ExtensionContext.Namespace.create(StorePool.class))
                    .computeIfAbsent(StorePool.class, _ -> new StorePool(), StorePool.class);
        }
    }
}
