package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.local.audit.AuditedRequest;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Objects that the orphan controller must not change. Each test has a real orphan too, so that waiting has an end. */
@OnCluster
@ResourceLock("orphans of all provisioners")
class OrphanSafetyIT extends BucketTestBase {

    private static final int FORBIDDEN = 403;

    @Test
    void anOrphanIsNotDeletedWhileItsClaimCannotBeRead() {
        String storageClass = bench.storageClass("new", Map.of());
        bench.bindAndStop("lost", storageClass);
        bench.orphan("lost");
        ApiUser blind = cluster.user("blind", rules("list", "watch"));
        try (ControllerProcess _ = bench.startCollector(blind, builder -> {})) {
            Eventually.await("two rejected reads")
                    .until(() -> cluster.requests(blind).count(OrphanSafetyIT::isForbiddenRead) >= 2);
            RequestCounts requests = cluster.requests(blind);
            assertThat(requests.writes()).as("%s", requests).isZero();
            assertThat(bench.buckets()).noneMatch(Metadata::isBeingDeleted).hasSize(1);

            ClusterRole role =
                    bench.admin().rbac().clusterRoles().withName(blind.name()).get();
            cluster.edit(role, current -> current.setRules(rules("get", "list", "watch")));
            Eventually.await("deletion of the orphan once its claim can be read")
                    .until(() -> Metadata.isBeingDeleted(bench.buckets().getFirst()));
        }
    }

    @Test
    void aDryRunReportsBothKindsOfOrphansAndChangesNothing() {
        String storageClass = bench.storageClass("new", Map.of());
        bench.bindAndStop("lost", storageClass);
        bench.bindAndStop("missing", storageClass);
        bench.bindAndStop("later", storageClass);
        bench.orphan("lost");
        cluster.forceDelete(bench.bucketOf("missing"));
        ApiUser user = cluster.user("dry");
        try (ControllerProcess _ = bench.startCollector(user, builder -> builder.dryRun(true))) {
            Eventually.await("both reports").until(() -> cluster.requests(user).events() >= 2);
            bench.orphan("later");
            Eventually.await("the report of a later orphan")
                    .until(() -> cluster.requests(user).events() >= 3);
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.writes()).as("%s", requests).isZero();
            assertThat(bench.buckets()).hasSize(2);
            assertThat(bench.get("missing").phase()).isEqualTo(Phase.BOUND);
        }
    }

    @Test
    void withReclaimOrphansTheReclaimPolicyDecidesAboutTheBucket() {
        String delete = bench.storageClass("delete", Map.of());
        String retain = bench.storageClass("retain", Map.of("reclaimPolicy", "Retain"));
        String deleted = bench.bindAndStop("deleted", delete);
        String retained = bench.bindAndStop("retained", retain);
        bench.orphan("deleted");
        bench.orphan("retained");
        bench.start(cluster.user("by-policy"), builder -> builder.reclaimOrphans(true));
        try (ControllerProcess _ = bench.startCollector(cluster.user("orphans"), builder -> {})) {
            Eventually.await("deletion of both orphans")
                    .until(() -> bench.buckets().isEmpty());
        }
        assertThat(store.has(deleted)).isFalse();
        assertThat(store.tag(retained)).startsWith("released:");
        assertThat(store.principals()).isZero();
    }

    @Test
    void aClaimRestoredFromABackupGetsItsBucketAndItsFormerKeysEnd() {
        String storageClass = bench.storageClass("new", Map.of());
        String bucket = bench.bindAndStop("restored", storageClass);
        bench.bindAndStop("lost", storageClass);
        store.fill(bucket, 7);
        ObjectBucketClaim backup = bench.get("restored");
        String tag = store.tag(bucket);
        Map<String, String> keys = bench.keys("restored");
        bench.orphan("restored");
        bench.orphan("lost");
        bench.admin().resource(BucketFixture.exported(backup)).create();
        bench.start(cluster.user("by-policy"), builder -> builder.reclaimOrphans(true));
        try (ControllerProcess _ = bench.startCollector(cluster.user("orphans"), builder -> {})) {
            Eventually.await("deletion of the real orphan")
                    .until(() -> bench.buckets().stream()
                            .noneMatch(it -> it.getMetadata().getName().endsWith("-lost")));
            assertThat(bench.awaitBound("restored")).isEqualTo(bucket);
            bench.awaitSettled();
        }
        assertThat(store.objects(bucket)).isEqualTo(7);
        assertThat(store.tag(bucket)).as("its owner is the new claim").isNotEqualTo(tag);
        assertThat(bench.opens("restored")).isTrue();
        assertThat(bench.opens(keys, "restored")).isFalse();
        assertThat(bench.buckets())
                .filteredOn(it -> !Metadata.isBeingDeleted(it))
                .extracting(it -> it.getSpec().recordedIntent().orElseThrow().claimUid())
                .as("the old ObjectBucket stays: the collector sees a claim of its name")
                .contains(backup.getMetadata().getUid());
    }

    @Test
    void aReleasedObjectBucketWhoseClaimExistsIsNoOrphan() {
        String storageClass = bench.storageClass("new", Map.of());
        String bucket = bench.bindAndStop("full", storageClass);
        bench.bindAndStop("lost", storageClass);
        bench.orphan("lost");
        store.fill(bucket, 7);
        bench.start();
        bench.delete("full");
        bench.awaitReason("full", "BucketNotEmpty");
        assertThat(bench.bucketOf("full").phase()).isEqualTo(Phase.RELEASED);
        ApiUser user = cluster.user("orphans");
        try (ControllerProcess _ = bench.startCollector(user, builder -> {})) {
            Eventually.await("deletion of the real orphan")
                    .until(() -> bench.buckets().size() == 1);
            bench.awaitSettled();
        }
        String ofFull = bench.bucketOf("full").getMetadata().getName();
        RequestCounts requests = cluster.requests(user);
        assertThat(requests.count(request -> request.name().equals(ofFull)))
                .as("%s", requests)
                .isZero();
        assertThat(Metadata.isBeingDeleted(bench.bucketOf("full"))).isFalse();
        assertThat(store.objects(bucket)).isEqualTo(7);
    }

    private static boolean isForbiddenRead(AuditedRequest request) {
        return request.verb().equals("get")
                && request.resource().equals("objectbucketclaims")
                && request.code() == FORBIDDEN;
    }

    /** The permissions of an orphan controller, with these verbs for claims. */
    private static List<PolicyRule> rules(String... claims) {
        return List.of(
                TestCluster.rule("objectbucket.io", List.of("objectbucketclaims"), claims),
                TestCluster.rule("objectbucket.io", List.of("objectbuckets"), "get", "list", "watch", "delete"),
                TestCluster.rule("events.k8s.io", List.of("events"), "create", "patch"));
    }
}
