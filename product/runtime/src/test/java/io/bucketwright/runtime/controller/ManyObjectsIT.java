package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Each half of the objects fills several pages of a list; {@code -Dbucketwright.many.objects=10000} creates more. */
@OnCluster
class ManyObjectsIT {

    private static final int OBJECTS = Integer.getInteger("bucketwright.many.objects", 3_000);
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void manyObjectsThroughAControllerWithNothingToDoCostOnlyListsAndWatches(TestCluster cluster)
            throws InterruptedException {
        // Half before the start, from the list; half while it runs, from the watch.
        create(cluster, 0, OBJECTS / 2);
        ApiUser user = cluster.user("idle");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Set<String> notCached = ConcurrentHashMap.newKeySet();
        try (TestEngine engine = TestEngine.open(user.config())) {
            ObjectCache<ConfigMap> maps = engine.caches()
                    .of(ConfigMap.class, Scope.namespace(cluster.namespace()).labelled("test", "many"));
            Reconciler<ObjectKey> nothing = key -> {
                seen.add(key.name());
                if (maps.get(key.namespace(), key.name()).isEmpty()) {
                    notCached.add(key.name());
                }
                return Result.done();
            };
            engine.controller("idle", nothing, engine.queue("idle"), Leadership.always(), 8)
                    .watch(maps, Function.identity());
            engine.start();
            create(cluster, OBJECTS / 2, OBJECTS);
            Awaitility.await().atMost(LONG).until(() -> seen.size() == OBJECTS);
            assertThat(maps.list()).hasSize(OBJECTS);
            assertThat(notCached).as("reconciled before the cache had them").isEmpty();
        }
        RequestCounts requests = cluster.requests(user);
        assertThat(requests.lists() + requests.watches())
                .as("%s", requests)
                .isEqualTo(requests.all().size());
        assertThat(requests.lists()).as("pages of the one list").isEqualTo(OBJECTS / 2 / 500);
    }

    private static void create(TestCluster cluster, int from, int to) throws InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Future<ConfigMap>> all = threads.invokeAll(IntStream.range(from, to)
                    .<Callable<ConfigMap>>mapToObj(number ->
                            () -> cluster.admin().resource(map(cluster, number)).create())
                    .toList());
            assertThat(all).allSatisfy(one -> assertThat(one).succeedsWithin(Duration.ZERO));
        }
    }

    private static ConfigMap map(TestCluster cluster, int number) {
        ConfigMap map = cluster.configMap("map-" + number);
        map.getMetadata().setLabels(Map.of("test", "many"));
        return map;
    }
}
