package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * With the definitions of other projects, everything works that needs no fields of our own. Each project has a cluster of its
 * own: other definitions of the same kinds are installed there.
 */
@OnCluster(own = true)
abstract class ForeignSchemaContract {

    /** {@code rook} or {@code noobaa}. */
    abstract String owner();

    private BucketFixture bench(TestCluster cluster) {
        return new BucketFixture(
                cluster, "", List.of(definition("objectbucketclaims.yaml"), definition("objectbuckets.yaml")));
    }

    private CustomResourceDefinition definition(String file) {
        String resource = "/schemas/" + owner() + "/" + file;
        try (InputStream yaml =
                Objects.requireNonNull(ForeignSchemaContract.class.getResourceAsStream(resource), resource)) {
            return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void onAnotherSchemaAClaimIsBoundAndDeletedByItsIntent(TestCluster cluster) {
        try (BucketFixture bench = bench(cluster)) {
            MemoryStore store = bench.store;
            String delete = bench.storageClass("delete", Map.of());
            String erase = bench.storageClass("erase", Map.of("reclaimPolicy", "Erase"));
            ApiUser user = cluster.user("buckets");
            String kept;
            try (ControllerProcess _ = bench.start(user)) {
                RequestCounts before = cluster.requests(user);
                bench.bind("mine", delete);
                bench.awaitSettled();
                RequestCounts binding = cluster.requests(user).since(before);
                assertThat(binding.writes()).as("%s", binding).isLessThanOrEqualTo(8);
                kept = bench.bind("kept", erase);
                assertThat(bench.opens("mine")).isTrue();
            }
            ApiUser second = cluster.user("second");
            bench.start(second);
            bench.awaitSettled();
            RequestCounts restart = cluster.requests(second);
            assertThat(restart.writes() + restart.reads()).as("%s", restart).isZero();
            store.fill(kept, 25);
            bench.remove("mine", "kept");
            assertThat(store.names()).containsExactly(kept);
            assertThat(store.objects(kept)).isZero();
        }
    }

    @Test
    void keysAreRotatedByAnnotation(TestCluster cluster) {
        try (BucketFixture bench = bench(cluster)) {
            bench.bind("mine", bench.start(Map.of("rotationOverlap", "1s")));
            bench.rotate("mine");
            Eventually.await("deletion of the old key").until(() -> bench.store.keys() == 1);
            bench.awaitSettled();
            assertThat(bench.opens("mine")).isTrue();
            assertThat(bench.store.count("grant")).isEqualTo(1);
            assertThat(bench.store.count("retire")).isEqualTo(1);
        }
    }

    @Test
    void editsAndDeletionsAreRepairedAndAdditionsAreKept(TestCluster cluster) {
        try (BucketFixture bench = bench(cluster)) {
            String storageClass = bench.start(Map.of());
            bench.bind("mine", storageClass);
            ForeignEdits.areRepaired(cluster, bench, storageClass);
            bench.awaitSettled();
            assertThat(bench.opens("mine")).isTrue();
            assertThat(bench.get("mine").phase()).isEqualTo(Phase.BOUND);
            assertThat(bench.store.count("provision")).isEqualTo(1);
        }
    }

    @Test
    void aProblemIsReportedWithAnEventIfTheSchemaHasNoConditions(TestCluster cluster) {
        try (BucketFixture bench = bench(cluster)) {
            bench.store.existing("somebody-elses");
            String closed = bench.storageClass("closed", Map.of("allowedNamespaces", "nobody"));
            bench.foreignSecret("occupied", Map.of());
            String storageClass = bench.start(Map.of());
            bench.newBucket("outsider", closed);
            bench.newBucket("occupied", storageClass);
            bench.claim("thief", BucketFixture.spec(storageClass).bucketName("somebody-elses"));
            bench.newBucket("typo", storageClass, Map.of("maxObjcts", "5"));
            Map<String, String> reasons = Map.of(
                    "outsider", "NamespaceNotAllowed",
                    "occupied", "SecretNotOwned",
                    "thief", "BucketTaken",
                    "typo", "Invalid");
            reasons.forEach((name, reason) -> {
                bench.awaitPhase(name, Phase.FAILED);
                Eventually.await(name + " to report " + reason)
                        .until(() -> !cluster.events(name, reason).isEmpty());
            });
            bench.awaitSettled();
            assertThat(cluster.events("typo", "Invalid"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("maxObjcts");

            bench.setOptions("typo", Map.of("maxObjects", "5"));
            bench.awaitBound("typo");
            reasons.keySet().forEach(bench::delete);
            Eventually.await("deletion of all claims")
                    .until(() -> reasons.keySet().stream().allMatch(name -> bench.get(name) == null));
            assertThat(bench.store.names()).containsExactly("somebody-elses");
            assertThat(bench.secret("occupied")).as("not owned by the claim").isNotNull();
        }
    }

    @Test
    void aSharedBucketIsDeletedAfterTheLastClaimAndARetainedOneIsKept(TestCluster cluster) {
        try (BucketFixture bench = bench(cluster)) {
            bench.start();
            bench.newBucket("owner", bench.storageClass("new", Map.of()));
            bench.newBucket("kept", bench.storageClass("retain", Map.of("reclaimPolicy", "Retain")));
            String bucket = bench.awaitBound("owner");
            String kept = bench.awaitBound("kept");
            bench.store.fill(kept, 3);
            String shared = bench.storageClass("shared", Map.of("bucketName", bucket));
            bench.claim("guest", BucketFixture.spec(shared));
            bench.claim("visitor", BucketFixture.spec(shared));
            bench.awaitBound("guest");
            bench.awaitBound("visitor");
            assertThat(bench.keys("guest")).isNotEqualTo(bench.keys("owner")).isNotEqualTo(bench.keys("visitor"));
            bench.remove("visitor");
            assertThat(bench.opens("guest")).isTrue();

            bench.delete("owner");
            bench.remove("kept");
            Eventually.await("the event")
                    .until(() -> !cluster.events("owner", "BucketShared").isEmpty());
            assertThat(bench.opens("guest")).isTrue();
            bench.remove("guest");
            bench.awaitDeleted("owner");
            assertThat(bench.store.names()).containsExactly(kept);
            assertThat(bench.store.tag(kept)).startsWith("released:");
            assertThat(bench.store.objects(kept)).isEqualTo(3);
            assertThat(bench.store.principals()).isZero();
        }
    }

    @Test
    void afterACrashAtAnyWriteOfBindingOrDeletionTheNextProcessFinishes(TestCluster cluster) throws Exception {
        try (BucketFixture _ = bench(cluster)) {
            // For the schema, a crash before a write is the same as a crash after the previous one.
            CrashFlows crashes = new CrashFlows(cluster, Moment.AFTER_EFFECT, List.of());
            // Seven writes, at most one more on such a schema, and one event.
            assertThat(crashes.ofBinding()).isBetween(7, 9);
            assertThat(crashes.ofDeletion()).isEqualTo(8);
        }
    }

    /** What a tenant can store: no spec, empty values, and on the schema of Rook any JSON in options and status. */
    @Test
    void aClaimOfAnyShapeNeitherStopsARunningProvisionerNorARestartedOne(TestCluster cluster) {
        try (BucketFixture bench = bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            try (ControllerProcess _ = bench.start(cluster.user("buckets"))) {
                bench.bind("honest", storageClass);
                HostileClaims.create(bench, storageClass, owner());
                bench.bind("beside", storageClass);
            }
            bench.start(cluster.user("restarted"));
            bench.bind("afterwards", storageClass);
            bench.remove("honest", "beside", "afterwards");
        }
    }
}
