package io.bucketwright.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.app.ClaimingPod;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
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
 * {@code -Dbucketwright.fuzz.objects=10000} runs the whole test, {@code -Dbucketwright.fuzz.seed} another sample,
 * {@code -Dbucketwright.fuzz.schemas=rook} only some schemas.
 */
@OnCluster(own = true)
@Order(1)
class HostileObjectsIT extends FuzzTestBase {

    private static final Logger log = LoggerFactory.getLogger(HostileObjectsIT.class);

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
