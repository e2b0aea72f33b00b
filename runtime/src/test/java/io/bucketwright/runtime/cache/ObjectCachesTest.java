package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.OfflineConnection;
import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectCachesTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final OfflineConnection offline = new OfflineConnection(meters);
    private final List<Scope> followed = new ArrayList<>();
    private final ObjectCaches caches = new ObjectCaches(new Recording(), meters);

    @AfterEach
    void close() {
        offline.close();
    }

    @Test
    void watchesOfTheSameObjectsForTwoTrimsAreFollowedSeparately() {
        Scope scope = Scope.namespace("ns").labelled("app", "x");
        UnaryOperator<ConfigMap> trim = map -> map;
        ObjectCache<ConfigMap> whole = caches.of(ConfigMap.class, scope);
        ObjectCache<ConfigMap> trimmed = caches.of(ConfigMap.class, scope, trim);
        assertThat(trimmed).isNotSameAs(whole);
        assertThat(caches.of(ConfigMap.class, scope, trim)).isSameAs(trimmed);
        assertThat(followed.stream().map(Scope::requirements)).hasSize(2).doesNotHaveDuplicates();
        assertThat(followed.getFirst()).as("the only watch is as it is").isEqualTo(scope);
    }

    private final class Recording implements InformerSource {

        private final InformerSource informers = new ClientInformers(offline.connection());

        @Override
        public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
            return informers.informer(type, scope, store);
        }

        @Override
        public Supplier<WatchStatus> track(ResourceKind<?> kind, Scope scope) {
            followed.add(scope);
            return informers.track(kind, scope);
        }
    }
}
