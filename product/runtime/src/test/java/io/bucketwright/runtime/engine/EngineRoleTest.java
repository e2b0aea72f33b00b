package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.IdleInformers;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EngineRoleTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final EngineRole role = new EngineRole("role", new ObjectCaches(new IdleInformers(), meters));

    @Test
    void livenessSeesWorkersThatEnded() throws InterruptedException {
        Leadership broken = new Leadership() {
            @Override
            public boolean held() {
                throw new AssertionError("a defect outside of the reconciler");
            }

            @Override
            public Duration remaining() {
                return Duration.ZERO;
            }

            @Override
            public long term() {
                return 0;
            }

            @Override
            public void onGained(Runnable listener) {
                // Never gained.
            }
        };
        role.with(controller(broken));
        role.start();
        role.working().await();
        Awaitility.await()
                .dontCatchUncaughtExceptions()
                .untilAsserted(() -> assertThat(role.alive()).isEqualTo(Health.unhealthy("3 workers of c ended")));
    }

    @Test
    void aRoleIsAliveWhileItsWorkersWaitAndWhileItStops() throws InterruptedException {
        role.with(controller(Leadership.always()));
        role.start();
        role.working().await();
        assertThat(role.alive()).isEqualTo(Health.healthy());
        role.stopAccepting();
        role.drain(Duration.ofSeconds(10));
        assertThat(role.alive()).isEqualTo(Health.healthy());
    }

    @Test
    void aProcessThatStartsWithoutAnApiServerIsAliveAndNamesItAsMissing() throws IOException, InterruptedException {
        Config nobody = new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:9")
                .build();
        Keepalive impatient = new Keepalive(Duration.ofMillis(50), Duration.ofMillis(100));
        try (TestEngine engine = TestEngine.open(nobody, Duration.ofSeconds(1), impatient, UnaryOperator.identity())) {
            engine.caches().of(ConfigMap.class, Scope.everything());
            // Until then further roles may be added.
            assertThat(engine.get("/readyz").body()).contains("[-]running failed: the process is starting");
            engine.engine().start();
            Awaitility.await().untilAsserted(() -> {
                HttpResponse<String> ready = engine.get("/readyz");
                assertThat(ready.statusCode()).isEqualTo(503);
                assertThat(ready.body())
                        .contains("[-]api-server failed: no response from http://127.0.0.1:9/")
                        .contains("configmaps is not listed yet");
            });
            assertThat(engine.get("/livez").statusCode()).isEqualTo(200);
        }
    }

    private Controller<String> controller(Leadership leadership) {
        WorkQueue<String> queue = new WorkQueue<>("c", new ManualTime(), Backoff.standard(), new Random(1), meters);
        return new Controller<String>("c", _ -> Result.done(), queue, leadership, meters).workers(3);
    }
}
