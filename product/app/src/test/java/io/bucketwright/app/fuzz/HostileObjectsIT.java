package io.bucketwright.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.app.ClaimingPod;
import io.bucketwright.app.fuzz.HostileObjects.TenantKind;
import io.bucketwright.app.fuzz.HostileObjects.TenantObject;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * No tenant can hurt another or the controllers. Hostile objects of every kind that a tenant can write, in every shape that the
 * API server admits, run through all controllers beside honest ones: the honest ones are bound, no worker throws, no informer
 * stops, memory is bounded, each hostile object has a reason or is rejected at admission, a new process reads them all, and all can
 * be deleted.
 * {@code -Dbucketwright.fuzz.objects=10000 -Dbucketwright.fuzz.large=300} runs the whole test, {@code -Dbucketwright.fuzz.seed} another sample,
 * {@code -Dbucketwright.fuzz.schemas=rook} only some schemas.
 */
@OnCluster(own = true)
@Order(1)
class HostileObjectsIT {

    private static final Logger log = LoggerFactory.getLogger(HostileObjectsIT.class);
    private static final int OBJECTS = Integer.getInteger("bucketwright.fuzz.objects", 180);
    private static final long SEED = Long.getLong("bucketwright.fuzz.seed", 11);
    private static final int LARGE = Integer.getInteger("bucketwright.fuzz.large", 52);
    /** Honest objects of each kind beside the large ones. */
    private static final int HONEST = 4;

    private static final List<String> SCHEMAS = List.of("bucketwright", "rook", "noobaa");
    private static final String SELECTED = System.getProperty("bucketwright.fuzz.schemas", String.join(",", SCHEMAS));

    static Stream<String> schemas() {
        return SCHEMAS.stream().filter(List.of(SELECTED.split(",", -1))::contains);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    @Timeout(3600)
    void hostileObjectsHurtNobody(String schema, TestCluster cluster, @TempDir Path folder) throws Exception {
        cluster.install(Crds.objectBuckets());
        cluster.install(Crds.cosi());
        cluster.install(Crds.released());
        cluster.install(definitions(schema));
        String namespace = cluster.namespace();
        int count = OBJECTS / SCHEMAS.size();
        int honest = Math.max(2, count / 100);
        TenantObjects tenants = new TenantObjects(cluster.admin(), namespace);
        HostileObjects objects = new HostileObjects(namespace, SEED + SCHEMAS.indexOf(schema));
        ApiUser user = cluster.user("everything");
        try (LocalStore store = LocalStore.start()) {
            AllControllers.createClasses(cluster.admin(), store.access(), namespace);
            ClaimingPod.awaitServiceAccount(cluster);
            try (ControllersProcess controllers = new ControllersProcess(user, store.access(), namespace, folder)) {
                long before = controllers.usedMemory();
                int admitted = createAll(tenants, objects.hostile(count).toList());
                assertHonestAreBound(tenants, objects, "honest", honest);
                untilEachKind(
                        "a reason for each object",
                        kind -> assertThat(tenants.unexplained(kind, namespace)).isEmpty());
                long used = controllers.usedMemory() - before;
                log.info("{}: {} objects, {} admitted, {} MiB more", schema, count, admitted, used / (1 << 20));
                assertThat(admitted).isGreaterThan(count / 5);
                // The caches contain the objects, the largest of 1 MiB; beside them nothing grows with each object.
                assertThat(used).isLessThan((64L << 20) + count * (64L << 10));
                assertHealthy(controllers);
            }
            // A new process must be able to read all of them.
            try (ControllersProcess controllers = new ControllersProcess(user, store.access(), namespace, folder)) {
                assertHonestAreBound(tenants, objects, "later", honest);
                // All at once, as with their namespace: no deletion waits for ever for another one.
                untilEachKind("the request to delete all objects", tenants::deleteAll);
                untilEachKind(
                        "the deletion of all objects",
                        kind -> assertThat(tenants.list(kind)).isEmpty());
                assertHealthy(controllers);
            }
        }
    }

    /**
     * Each object of the largest size costs a fixed amount of memory, has a reason, and can be deleted. Honest objects are bound
     * beside them, also by a new process.
     */
    @Test
    @Timeout(3600)
    void largeObjectsCostAFixedAmount(TestCluster cluster, @TempDir Path folder) throws Exception {
        cluster.install(Crds.objectBuckets());
        cluster.install(Crds.cosi());
        cluster.install(Crds.released());
        TenantObjects tenants = new TenantObjects(cluster.admin(), cluster.namespace());
        HostileObjects honest = new HostileObjects(cluster.namespace(), SEED);
        LargeObjects objects = new LargeObjects(cluster.admin(), cluster.namespace(), honest);
        ApiUser user = cluster.user("everything");
        try (LocalStore store = LocalStore.start()) {
            AllControllers.createClasses(cluster.admin(), store.access(), cluster.namespace());
            ClaimingPod.awaitServiceAccount(cluster);
            try (ControllersProcess controllers =
                    new ControllersProcess(user, store.access(), cluster.namespace(), folder)) {
                // What is loaded once, such as the SDK of the store, is not part of what an object costs.
                assertHonestAreBound(tenants, honest, "honest", HONEST);
                createLarge(objects, LARGE / 4);
                long before = controllers.usedMemory();
                createLarge(objects, LARGE);
                // Two caches have it: one of this process, and one of the sidecar for released kinds. Pages and objects
                // that are being read need memory only for a while.
                long limit = (8L << 20) + 2L * LARGE * ObjectSize.LIMIT;
                await("memory that is released")
                        .untilAsserted(() ->
                                assertThat(controllers.usedMemory() - before).isLessThan(limit));
                log.info("{} more large objects: {} KiB", LARGE, (controllers.usedMemory() - before) >> 10);
                assertHonestAreBound(tenants, honest, "beside", HONEST);
                assertHealthy(controllers);
            }
            // Its first lists contain all of them.
            try (ControllersProcess controllers =
                    new ControllersProcess(user, store.access(), cluster.namespace(), folder)) {
                assertHonestAreBound(tenants, honest, "later", HONEST);
                log.info(
                        "After a restart beside {} large objects: {} KiB",
                        LARGE + LARGE / 4,
                        controllers.usedMemory() >> 10);
                assertHealthy(controllers);
                objects.deleteAll();
                await("the deletion of all objects")
                        .untilAsserted(() -> assertThat(objects.existing()).isEmpty());
            }
        }
    }

    private static void createLarge(LargeObjects objects, int count) {
        objects.create(count);
        await("a reason for each object")
                .untilAsserted(() -> assertThat(objects.withoutReason()).isEmpty());
    }

    private static void assertHonestAreBound(TenantObjects tenants, HostileObjects objects, String prefix, int count)
            throws Exception {
        for (TenantKind kind : TenantKind.SERVED) {
            assertThat(createAll(tenants, objects.honest(kind, prefix, count).toList()))
                    .isEqualTo(count);
        }
        untilEachKind(
                "honest objects to be bound",
                kind -> assertThat(objects.honest(kind, prefix, count).map(TenantObject::name))
                        .allMatch(name -> tenants.isDone(kind, name)));
    }

    /** Waits for all kinds together, and looks no more at a kind for which the condition was true. */
    private static void untilEachKind(String what, Consumer<TenantKind> condition) {
        Deque<TenantKind> left = new ArrayDeque<>(TenantKind.SERVED);
        await(what).untilAsserted(() -> {
            while (!left.isEmpty()) {
                condition.accept(left.getFirst());
                left.removeFirst();
            }
        });
    }

    private static void assertHealthy(ControllersProcess controllers) throws Exception {
        assertThat(controllers.unexpectedErrors()).containsExactly(0.0, 0.0);
        assertThat(controllers.status("/livez")).containsExactly(200, 200);
        assertThat(controllers.status("/readyz")).containsExactly(200, 200);
    }

    private static ConditionFactory await(String what) {
        return Eventually.await(what)
                .pollInterval(Duration.ofMillis(200 + OBJECTS / 5))
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(90).plus(Duration.ofMillis(100L * OBJECTS)));
    }

    /** Creates the objects from eight clients; returns how many the API server admitted. */
    private static int createAll(TenantObjects tenants, List<TenantObject> objects) throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
            List<Future<Boolean>> created = objects.stream()
                    .map(object -> clients.submit(() -> tenants.create(object)))
                    .toList();
            int admitted = 0;
            for (Future<Boolean> one : created) {
                admitted += one.get() ? 1 : 0;
            }
            return admitted;
        }
    }

    /** The definitions that a project ships. */
    private static List<CustomResourceDefinition> definitions(String schema) {
        if (schema.equals("bucketwright")) {
            return List.of();
        }
        return Stream.of("objectbucketclaims.yaml", "objectbuckets.yaml")
                .map(file -> Path.of("../buckets/src/test/resources/schemas", schema, file))
                .map(HostileObjectsIT::read)
                .toList();
    }

    private static CustomResourceDefinition read(Path file) {
        try (InputStream yaml = Files.newInputStream(file)) {
            return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
