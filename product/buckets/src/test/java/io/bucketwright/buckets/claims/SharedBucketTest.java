package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.store.options.Capability;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claims that use one bucket: what each of them costs, and what happens to the bucket. */
class SharedBucketTest {

    private static final int FEW = 25;
    private static final int MANY = 100;
    /** Claims of one tenant on one bucket; 500 were tried. */
    private static final int CROWD = Integer.getInteger("bucketwright.sharing.claims", 150);

    private final MemoryStores stores = new MemoryStores();

    /** How often a class was parsed and a claim reconciled. */
    private record Work(int classes, double reconciles) {

        static Work of(World world, MemoryStores stores) {
            return new Work(stores.opened(), world.reconciles());
        }

        Work since(Work before) {
            return new Work(classes - before.classes, reconciles - before.reconciles);
        }
    }

    private World sharing(MemoryStores source, int claims) {
        World world = new World(Map.of("bucketName", "shared"), source);
        world.store.existing("shared");
        IntStream.range(0, claims).forEach(i -> world.claim(World.NAMESPACE, "claim-" + i, spec()));
        world.reconcile();
        assertThat(world.server.list(ObjectBucketClaim.class)).allMatch(claim -> claim.phase() == Phase.BOUND);
        return world;
    }

    private static void assertSamePerClaim(Work few, Work many) {
        assertThat((double) many.classes / MANY).isLessThanOrEqualTo(1.2 * few.classes / FEW);
        assertThat(many.reconciles / MANY).isLessThanOrEqualTo(1.2 * few.reconciles / FEW);
    }

    @Test
    void eachClaimOnOneBucketCostsTheSameWhateverTheirNumber() {
        MemoryStores others = new MemoryStores();
        try (World few = sharing(stores, FEW);
                World many = sharing(others, MANY)) {
            assertSamePerClaim(Work.of(few, stores), Work.of(many, others));
            few.restart();
            many.restart();
            few.reconcile();
            many.reconcile();
            assertThat(many.reconciles())
                    .as("each claim when leadership is gained")
                    .isGreaterThanOrEqualTo(MANY);
            assertThat(many.reconciles() / MANY).isLessThanOrEqualTo(1.2 * few.reconciles() / FEW);

            Work before = Work.of(many, others);
            many.server.edit(
                    ObjectBucketClaim.class,
                    World.NAMESPACE,
                    "claim-7",
                    claim -> claim.getMetadata()
                            .setAnnotations(Map.of(ObjectBucketNames.ROTATE_AT, "2000-01-01T00:00:00Z")));
            many.reconcile();
            assertThat(Work.of(many, others).since(before).reconciles)
                    .as("a rotation wakes one claim")
                    .isLessThan(10);
        }
    }

    @Test
    void claimsOfAnotherTenantCostTheSameBesideManyClaimsOnOneBucket() {
        MemoryStores others = new MemoryStores();
        try (World alone = sharing(stores, 1);
                World beside = sharing(others, CROWD)) {
            Work honest = honest(alone, stores);
            Work besideMany = honest(beside, others);
            assertThat(besideMany.reconciles).isLessThanOrEqualTo(2 * honest.reconciles);
            assertThat(besideMany.classes).isLessThanOrEqualTo(2 * honest.classes);
            assertThat(beside.store.count("provision")).isEqualTo(alone.store.count("provision"));
        }
    }

    /** 50 claims with buckets of their own, while one of the claims on the shared bucket gets a new key each time. */
    private static Work honest(World world, MemoryStores source) {
        world.createNamespace("honest");
        world.server.create(new StorageClassBuilder()
                .withNewMetadata()
                .withName("own")
                .endMetadata()
                .withProvisioner(world.settings.provisioner().text())
                .withReclaimPolicy("Delete")
                .build());
        world.reconcile();
        Work before = Work.of(world, source);
        for (int i = 0; i < 50; i++) {
            String rotation = "2000-01-01T00:00:" + (10 + i % 50) + "Z";
            world.server.edit(
                    ObjectBucketClaim.class,
                    World.NAMESPACE,
                    "claim-0",
                    claim -> claim.getMetadata().setAnnotations(Map.of(ObjectBucketNames.ROTATE_AT, rotation)));
            world.claim(
                    "honest",
                    "mine-" + i,
                    ObjectBucketClaimSpec.builder().storageClassName("own").generateBucketName("own"));
            world.reconcile();
            assertThat(world.reason("honest", "mine-" + i)).isEqualTo("Bound");
        }
        return Work.of(world, source).since(before);
    }

    @Test
    void theDeletionOfClaimsOnOneBucketAndThenOfItsOwnerCostsTheSameForEach() {
        MemoryStores others = new MemoryStores();
        assertSamePerClaim(deletion(stores, FEW), deletion(others, MANY));
    }

    private Work deletion(MemoryStores source, int claims) {
        try (World world = new World(Map.of(), source)) {
            world.reconcile(spec().bucketName("shared"));
            world.replaceClass(Map.of("bucketName", "shared"));
            IntStream.range(0, claims).forEach(i -> world.claim(World.NAMESPACE, "claim-" + i, spec()));
            world.reconcile();
            world.delete(ObjectBucketClaim.class);
            world.reconcile();
            assertThat(world.message(World.NAMESPACE, World.NAME)).contains(claims + " other claim(s)");
            Work before = Work.of(world, source);
            IntStream.range(0, claims)
                    .forEach(i -> world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, "claim-" + i));
            world.settle();
            world.assertNothingLeft();
            return Work.of(world, source).since(before);
        }
    }

    @Test
    void aBucketThatIsUsedThroughAnotherAddressIsNotPurged() {
        stores.moveTo("https://public.test", stores.at("http://minio.svc:9000"));
        try (World world = owned("http://minio.svc:9000")) {
            use(world, "https://public.test");
            world.delete(ObjectBucketClaim.class);
            world.reconcile();
            assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("BucketShared");
            assertThat(stores.at("http://minio.svc:9000").objects("photos")).isEqualTo(3);
            Secret guest =
                    world.server.get(Secret.class, World.NAMESPACE, "guest").orElseThrow();
            assertThat(stores.at("http://minio.svc:9000").opens(guest, "photos"))
                    .as("rook#12389")
                    .isTrue();
            world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, "guest");
            world.settle();
            assertThat(world.claim()).isEmpty();
            assertThat(stores.at("http://minio.svc:9000").names()).isEmpty();
        }
    }

    @Test
    void aStoreThatCannotTellWhetherTheBucketIsAnotherOneKeepsIt() {
        stores.at("b").without(Capability.LIST);
        stores.at("b").existing("photos");
        try (World world = owned("a")) {
            use(world, "b");
            assertKeptAndRetained(world);
        }
    }

    /** A rejected key, or one without GetBucketTagging: stores answer then that the tags cannot be read. */
    @Test
    void aStoreThatDoesNotShowTheOwnershipTagsKeepsTheBucket() {
        stores.at("b").existing("photos");
        try (World world = owned("a")) {
            use(world, "b");
            stores.at("b").writeNewerTags("photos");
            assertKeptAndRetained(world);
        }
    }

    @Test
    void aBucketOfThatNameIsAnotherOneAlsoIfItsClassHadAParameterThatNoLongerExists() {
        stores.at("b").existing("photos");
        try (World world = owned("a")) {
            use(world, Map.of("endpoint", "b", "bucketName", "photos", "removed", "1"));
            stores.remove("removed");
            world.restart();
            world.delete(ObjectBucketClaim.class);
            world.settle();
            assertThat(world.claim()).isEmpty();
            assertThat(stores.at("a").names()).isEmpty();
            assertThat(stores.at("b").names()).containsExactly("photos");
        }
    }

    @Test
    void anObjectBucketOfAnotherProvisionerWithThatBucketKeepsIt() {
        try (World world = owned("a")) {
            ObjectBucket foreign = new ObjectBucket();
            foreign.setMetadata(new ObjectMetaBuilder().withName("foreign").build());
            foreign.setSpec(ObjectBucketSpec.EMPTY.with("endpoint", Map.of("bucketName", "photos")));
            world.server.create(foreign);
            assertKeptAndRetained(world);
        }
    }

    @Test
    void aClaimThatNeverGotTheSharedBucketIsDeleted() {
        try (World world = owned("a")) {
            world.claim(World.NAMESPACE, "second", spec().bucketName("photos"));
            world.reconcile();
            assertThat(world.reason(World.NAMESPACE, "second")).isEqualTo("BucketTaken");
            use(world, "a");
            world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, "second");
            world.settle();
            assertThat(world.server.get(ObjectBucketClaim.class, World.NAMESPACE, "second"))
                    .isEmpty();
            assertThat(stores.at("a").objects("photos")).isEqualTo(3);
        }
    }

    /** The deletion waits; then what its message advises: the claim is deleted, and the bucket stays. */
    private void assertKeptAndRetained(World world) {
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("BucketShared");
        assertThat(stores.at("a").objects("photos")).isEqualTo(3);
        assertThat(world.message(World.NAMESPACE, World.NAME)).contains("1 other claim(s)", "to Retain");
        world.server.edit(
                ObjectBucket.class,
                "",
                "obc-" + World.NAMESPACE + "-" + World.NAME,
                bucket -> bucket.setSpec(bucket.getSpec().with("reclaimPolicy", "Retain")));
        world.reconcile();
        assertThat(world.claim()).isEmpty();
        assertThat(stores.at("a").objects("photos")).isEqualTo(3);
    }

    /** A claim with a new bucket of three objects, which is purged with it. */
    private World owned(String endpoint) {
        World world = new World(Map.of("endpoint", endpoint, "onNotEmpty", "purge"), stores);
        world.reconcile(spec().bucketName("photos"));
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("Bound");
        stores.at(endpoint).fill("photos", 3);
        return world;
    }

    private static void use(World world, String endpoint) {
        use(world, Map.of("endpoint", endpoint, "bucketName", "photos"));
    }

    private static void use(World world, Map<String, String> parameters) {
        world.replaceClass(parameters);
        world.claim(World.NAMESPACE, "guest", spec());
        world.reconcile();
        assertThat(List.of(world.reason(World.NAMESPACE, "guest"))).containsExactly("Bound");
    }
}
