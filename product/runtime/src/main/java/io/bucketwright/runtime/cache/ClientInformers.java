package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ResourceKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;

/** Informers that list and watch through a connection to an API server. */
record ClientInformers(ApiConnection connection) implements InformerSource {

    /** What broke is retried after one, two, then at most 32 times this, without limit. */
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);

    @Override
    public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
        return new Reflector<>(
                ResourceKind.of(type),
                scope,
                connection.lists(),
                connection.decoder(type),
                store,
                FIRST_DELAY,
                Thread::sleep);
    }
}
