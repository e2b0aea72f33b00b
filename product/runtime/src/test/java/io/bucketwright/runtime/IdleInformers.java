package io.bucketwright.runtime;

import io.bucketwright.runtime.cache.Informer;
import io.bucketwright.runtime.cache.InformerSource;
import io.bucketwright.runtime.cache.InformerStore;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Informers that never list anything. */
public class IdleInformers implements InformerSource {

    private final AtomicInteger made = new AtomicInteger();

    /** The number of informers. */
    public int made() {
        return made.get();
    }

    @Override
    public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
        made.incrementAndGet();
        return new Idle();
    }

    /** See {@link Informer#current}. */
    protected CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
        return CompletableFuture.completedFuture(true);
    }

    /** See {@link Informer#status}. */
    protected WatchStatus status() {
        return WatchStatus.healthy();
    }

    private final class Idle implements Informer {

        @Override
        public void start() {}

        @Override
        public CompletableFuture<Void> listed() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
            return IdleInformers.this.current(since, wanted);
        }

        @Override
        public WatchStatus status() {
            return IdleInformers.this.status();
        }

        @Override
        public void close() {}
    }
}
