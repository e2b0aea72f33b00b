package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** A process that writes into the journal as fast as it sensibly can, but only while it leads. Tests start two. */
final class JournalProcess {

    static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(400));
    static final String LEASE = "journal-leader";
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(20);

    private JournalProcess() {}

    /** Arguments: a kubeconfig, a namespace, and who this is. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Config config = Config.fromKubeconfig(Files.readString(Path.of(arguments[0])));
        String namespace = arguments[1];
        String identity = arguments[2];
        TestEngine engine = TestEngine.open(config);
        Leadership leadership = engine.elector(new LeaseName(namespace, LEASE), identity, TIMING);
        ObjectCache<ConfigMap> maps =
                engine.caches().of(ConfigMap.class, Scope.namespace(namespace).named(Journal.NAME));
        ApiWriter writer = engine.writer(leadership);
        Reconciler<ObjectKey> reconciler = new LoopReconciler<ObjectKey, Optional<ConfigMap>, ConfigMap>(
                leadership,
                key -> maps.get(key.namespace(), key.name()),
                journal -> journal.<Decision<ConfigMap>>map(Decision::act).orElseGet(Decision::done),
                journal -> {
                    Journal more = Journal.of(journal).wroteOnce(identity, leadership.term());
                    writer.patch(journal, JsonPatch.empty().add("/data", Map.of(Journal.FIELD, more.toString())));
                    return Outcome.finish(Result.requeueAfter(BETWEEN_WRITES));
                });
        engine.controller("journal", reconciler, engine.queue("journal"), leadership, 2)
                .watch(maps, Function.identity());
        Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
        reportLeadership(leadership);
        engine.start();
        new CountDownLatch(1).await();
    }

    /** Prints LEADS or FOLLOWS, and the time, whenever that changes. */
    private static void reportLeadership(Leadership leadership) {
        Thread.ofPlatform().daemon().start(() -> {
            boolean before = false;
            while (true) {
                boolean now = leadership.held();
                if (now != before) {
                    System.out.println((now ? "LEADS " : "FOLLOWS ") + Instant.now());
                    System.out.flush();
                    before = now;
                }
                LockSupport.parkNanos(5_000_000);
            }
        });
    }
}
