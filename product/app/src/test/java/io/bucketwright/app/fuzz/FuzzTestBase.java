package io.bucketwright.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.fuzz.HostileObjects.TenantKind;
import io.bucketwright.app.fuzz.HostileObjects.TenantObject;
import io.bucketwright.testing.Eventually;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;

/** What the tests of many and of large objects of tenants do alike. */
abstract class FuzzTestBase {

    static final int OBJECTS = Integer.getInteger("bucketwright.fuzz.objects", 180);
    static final long SEED = Long.getLong("bucketwright.fuzz.seed", 11);

    static void assertHonestAreBound(TenantObjects tenants, HostileObjects objects, String prefix, int count)
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
    static void untilEachKind(String what, Consumer<TenantKind> condition) {
        Deque<TenantKind> left = new ArrayDeque<>(TenantKind.SERVED);
        await(what).untilAsserted(() -> {
            while (!left.isEmpty()) {
                condition.accept(left.getFirst());
                left.removeFirst();
            }
        });
    }

    static void assertHealthy(ControllersProcess controllers) throws Exception {
        assertThat(controllers.unexpectedErrors()).containsExactly(0.0, 0.0);
        assertThat(controllers.status("/livez")).containsExactly(200, 200);
        assertThat(controllers.status("/readyz")).containsExactly(200, 200);
    }

    static ConditionFactory await(String what) {
        return Eventually.await(what)
                .pollInterval(Duration.ofMillis(200 + OBJECTS / 5))
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(90).plus(Duration.ofMillis(100L * OBJECTS)));
    }

    /** Creates the objects from eight clients; returns how many the API server admitted. */
    static int createAll(TenantObjects tenants, List<TenantObject> objects) throws Exception {
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
}
