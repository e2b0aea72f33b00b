package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.IdleInformers;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ObjectCachesTest {

    @Test
    void watchesOfTheSameObjectsForTwoTrimsAreFollowedSeparately() {
        IdleInformers informers = new IdleInformers();
        ObjectCaches caches = new ObjectCaches(informers, new SimpleMeterRegistry());
        Scope scope = Scope.namespace("ns").labelled("app", "x");
        UnaryOperator<ConfigMap> trim = map -> map;
        ObjectCache<ConfigMap> whole = caches.of(ConfigMap.class, scope);
        ObjectCache<ConfigMap> trimmed = caches.of(ConfigMap.class, scope, trim);
        assertThat(trimmed).isNotSameAs(whole);
        assertThat(caches.of(ConfigMap.class, scope, trim)).isSameAs(trimmed);
        assertThat(informers.made()).as("one informer each").isEqualTo(2);
    }

    @Test
    void aWatchThatWasRefusedAndIsSilentSinceIsReportedAsSilent() {
        ManualTime time = new ManualTime();
        TrackedWatch watch = new ConnectionMonitor(Keepalive.standard(), time, Runnable::run)
                .activity()
                .track();
        IdleInformers informers = new IdleInformers() {
            @Override
            protected WatchStatus status() {
                return watch.status();
            }
        };
        ObjectCaches tracked = new ObjectCaches(informers, new SimpleMeterRegistry());
        tracked.of(ConfigMap.class, Scope.everything());
        watch.responded(403);
        assertThat(tracked.problems()).singleElement().asString().contains("forbidden");
        time.advance(Duration.ofMinutes(1));
        assertThat(tracked.problems())
                .singleElement()
                .asString()
                .isEqualTo("configmaps is not listed yet: no response from the API server for 60 s");
    }
}
