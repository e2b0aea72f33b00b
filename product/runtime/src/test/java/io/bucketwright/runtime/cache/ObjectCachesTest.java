package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.OfflineConnection;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
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
        assertThat(followed).as("one informer each").hasSize(2);
    }

    @Test
    void aWatchThatWasRefusedAndIsSilentSinceIsReportedAsSilent() {
        ManualTime time = new ManualTime();
        TrackedWatch watch = new ConnectionMonitor(Keepalive.standard(), time, Runnable::run)
                .activity()
                .track();
        ObjectCaches tracked = new ObjectCaches(new Tracked(watch), new SimpleMeterRegistry());
        tracked.of(ConfigMap.class, Scope.everything());
        watch.responded(403);
        assertThat(tracked.problems()).singleElement().asString().contains("forbidden");
        time.advance(Duration.ofMinutes(1));
        assertThat(tracked.problems())
                .singleElement()
                .asString()
                .isEqualTo("configmaps is not listed yet: no response from the API server for 60 s");
    }

    private record Tracked(TrackedWatch watch) implements InformerSource {

        @Override
        public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
            return new Informer() {
                @Override
                public void start() {}

                @Override
                public CompletableFuture<Void> listed() {
                    return new CompletableFuture<>();
                }

                @Override
                public CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
                    return CompletableFuture.completedFuture(true);
                }

                @Override
                public WatchStatus status() {
                    return watch.status();
                }

                @Override
                public void close() {}
            };
        }
    }

    private final class Recording implements InformerSource {

        private final InformerSource informers = new ClientInformers(offline.connection());

        @Override
        public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
            followed.add(scope);
            return informers.informer(type, scope, store);
        }
    }
}
