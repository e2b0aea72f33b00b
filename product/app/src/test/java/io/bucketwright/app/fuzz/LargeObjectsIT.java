package io.bucketwright.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.app.ClaimingPod;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects that are almost as large as the API server admits, of every kind. A class of its own, because it and
 * {@link HostileObjectsIT} are the slowest tests of this module. {@code -Dbucketwright.fuzz.large=300} creates more.
 */
@OnCluster(own = true)
@Order(1)
class LargeObjectsIT extends FuzzTestBase {

    private static final Logger log = LoggerFactory.getLogger(LargeObjectsIT.class);
    private static final int LARGE = Integer.getInteger("bucketwright.fuzz.large", 52);
    /** Honest objects of each kind beside the large ones. */
    private static final int HONEST = 4;

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
}
