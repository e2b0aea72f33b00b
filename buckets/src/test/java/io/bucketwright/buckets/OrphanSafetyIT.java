package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Whom the orphan controller leaves alone (ruling 11). Each test has a real orphan too, so that waiting has an end. */
@OnCluster
@ResourceLock("orphans of all provisioners")
class OrphanSafetyIT {

    private static final int FORBIDDEN = 403;

    @Test
    void nothingIsTouchedWhoseClaimCannotBeReadNowThoughTheCacheSaysItIsGone(TestCluster cluster)
            throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bind(cluster, bench, store, "lost", storageClass);
            vanish(bench, "lost");
            ApiUser blind = cluster.user("blind", rules("list", "watch"));
            try (ControllerProcess _ = collector(blind, it -> it)) {
                Bench.await("two questions in vain")
                        .until(() -> cluster.requests(blind).count(OrphanSafetyIT::isForbiddenRead) >= 2);
                RequestCounts requests = cluster.requests(blind);
                assertThat(requests.writes()).as("%s", requests).isZero();
                assertThat(bench.buckets())
                        .allSatisfy(bucket -> assertThat(bucket.getMetadata().getDeletionTimestamp())
                                .isNull())
                        .hasSize(1);

                bench.admin().rbac().clusterRoles().withName(blind.name()).edit((ClusterRole role) -> {
                    role.setRules(rules("get", "list", "watch"));
                    return role;
                });
                Bench.await("the orphan to be deleted once its claim can be asked for")
                        .until(() -> bench.buckets().getFirst().getMetadata().getDeletionTimestamp() != null);
            }
        }
    }

    @Test
    void aDryRunReportsBothSorrowsAndChangesNeither(TestCluster cluster) throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bind(cluster, bench, store, "lost", storageClass);
            bind(cluster, bench, store, "bereft", storageClass);
            bind(cluster, bench, store, "later", storageClass);
            vanish(bench, "lost");
            var gone = bench.bucketOf("bereft");
            bench.admin().resource(gone).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.admin().resource(gone).delete();
            ApiUser user = cluster.user("dry");
            try (ControllerProcess _ = collector(user, it -> it.dryRun(true))) {
                Bench.await("both reports").until(() -> cluster.requests(user).events() >= 2);
                vanish(bench, "later");
                Bench.await("the report of a later orphan")
                        .until(() -> cluster.requests(user).events() >= 3);
                RequestCounts requests = cluster.requests(user);
                assertThat(requests.writes()).as("%s", requests).isZero();
                assertThat(bench.buckets()).hasSize(2);
                assertThat(bench.get("bereft").phase()).isEqualTo(Phase.BOUND);
            }
        }
    }

    @Test
    void whereTheProvisionerIsToldSoThePolicyDecidesAboutAnOrphansBucket(TestCluster cluster)
            throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String delete = bench.storageClass("delete", Map.of());
            String retain = bench.storageClass("retain", Map.of("reclaimPolicy", "Retain"));
            String deleted = bind(cluster, bench, store, "deleted", delete);
            String retained = bind(cluster, bench, store, "retained", retain);
            vanish(bench, "deleted");
            vanish(bench, "retained");
            bench.provisioner(cluster.user("by-policy"), store, it -> it.reclaimOrphans(true));
            try (ControllerProcess _ = collector(cluster.user("orphans"), it -> it)) {
                Bench.await("both orphans to go").until(() -> bench.buckets().isEmpty());
            }
            assertThat(store.has(deleted)).isFalse();
            assertThat(store.mark(retained)).startsWith("released:");
            assertThat(store.principals()).isZero();
        }
    }

    @Test
    void aClaimRestoredFromABackupKeepsWhatItsFormerLifeOwnedFromEverybody(TestCluster cluster)
            throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            String bucket = bind(cluster, bench, store, "restored", storageClass);
            bind(cluster, bench, store, "lost", storageClass);
            store.fill(bucket, 7);
            ObjectBucketClaim backup = bench.get("restored");
            String mark = store.mark(bucket);
            Map<String, String> keys = bench.keys("restored");
            vanish(bench, "restored");
            vanish(bench, "lost");
            // As a backup tool does it: the whole spec, labels and finalizers, under a new uid and without a status.
            ObjectBucketClaim restored = new ObjectBucketClaim();
            restored.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(bench.namespace())
                    .withName("restored")
                    .withLabels(backup.getMetadata().getLabels())
                    .withAnnotations(backup.getMetadata().getAnnotations())
                    .withFinalizers(backup.getMetadata().getFinalizers())
                    .build());
            restored.setSpec(backup.getSpec());
            bench.admin().resource(restored).create();
            bench.provisioner(cluster.user("by-policy"), store, it -> it.reclaimOrphans(true));
            try (ControllerProcess _ = collector(cluster.user("orphans"), it -> it)) {
                Bench.await("the orphan beside it to go")
                        .until(() -> bench.buckets().stream()
                                .noneMatch(it -> it.getMetadata().getName().endsWith("-lost")));
                // What the former life left is in the way, and is left there.
                bench.awaitReason("restored", "SecretNotOwned");
                bench.awaitSettled();
            }
            assertThat(store.objects(bucket)).isEqualTo(7);
            assertThat(store.mark(bucket)).isEqualTo(mark);
            assertThat(bench.keys("restored")).isEqualTo(keys);
            assertThat(store.opens(
                            keys.getOrDefault("ACCESS_KEY_ID", ""), keys.getOrDefault("SECRET_ACCESS_KEY", ""), bucket))
                    .isTrue();
            assertThat(bench.buckets())
                    .filteredOn(it -> it.getMetadata().getDeletionTimestamp() == null)
                    .extracting(
                            it -> it.getSpec().recordedIntent().orElseThrow().claimUid())
                    .as("the old ObjectBucket is there, for whoever puts things right")
                    .contains(backup.getMetadata().getUid());
        }
    }

    @Test
    void aReleasedObjectBucketWhoseClaimIsStillThereIsNobodysOrphan(TestCluster cluster) throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            String bucket = bind(cluster, bench, store, "full", storageClass);
            bind(cluster, bench, store, "lost", storageClass);
            vanish(bench, "lost");
            store.fill(bucket, 7);
            bench.provisioner(cluster.user("buckets"), store);
            bench.delete("full");
            bench.awaitReason("full", "BucketNotEmpty");
            assertThat(bench.bucketOf("full").phase()).isEqualTo(Phase.RELEASED);
            ApiUser user = cluster.user("orphans");
            try (ControllerProcess _ = collector(user, it -> it)) {
                Bench.await("the real orphan to go").until(() -> bench.buckets().size() == 1);
                bench.awaitSettled();
            }
            String ofFull = bench.bucketOf("full").getMetadata().getName();
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.count(request -> request.name().equals(ofFull)))
                    .as("%s", requests)
                    .isZero();
            assertThat(bench.bucketOf("full").getMetadata().getDeletionTimestamp())
                    .isNull();
            assertThat(store.objects(bucket)).isEqualTo(7);
        }
    }

    private static String bind(TestCluster cluster, Bench bench, MemoryStore store, String name, String storageClass) {
        bench.claim(
                name,
                ObjectBucketClaimSpec.builder().storageClassName(storageClass).generateBucketName("photos"));
        try (ControllerProcess _ = bench.provisioner(cluster.user("binder-" + name), store)) {
            return bench.awaitBound(name).getSpec().bucket().orElseThrow();
        }
    }

    private static ControllerProcess collector(ApiUser user, UnaryOperator<OrphanCollector.Builder> more)
            throws InterruptedException {
        ControllerProcess collector = more.apply(
                        OrphanCollector.builder().client(user.config()).gracePeriod(Duration.ZERO))
                .build()
                .start();
        collector.awaitReady();
        return collector;
    }

    private static boolean isForbiddenRead(RequestCounts.Request request) {
        return request.verb().equals("get")
                && request.resource().equals("objectbucketclaims")
                && request.code() == FORBIDDEN;
    }

    /** What an orphan controller needs, with these verbs for claims. */
    private static List<PolicyRule> rules(String... claims) {
        return List.of(
                rule("objectbucket.io", "objectbucketclaims", claims),
                rule("objectbucket.io", "objectbuckets", "get", "list", "watch", "delete"),
                rule("events.k8s.io", "events", "create", "patch"));
    }

    private static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }

    /** Takes a claim away as somebody does who removes finalizers by hand. */
    private static void vanish(Bench bench, String name) {
        bench.admin().resource(bench.get(name)).edit((ObjectBucketClaim it) -> {
            it.getMetadata().setFinalizers(List.of());
            return it;
        });
        bench.delete(name);
        Bench.await(name + " to vanish").until(() -> bench.get(name) == null);
    }
}
