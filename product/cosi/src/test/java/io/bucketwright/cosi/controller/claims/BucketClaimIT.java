package io.bucketwright.cosi.controller.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The controller of BucketClaims on an API server. The test is the sidecar. */
@OnCluster(named = "controllers")
@ResourceLock("BucketClaims of all namespaces")
class BucketClaimIT {

    private TestCluster cluster;
    private ClaimFixture bench;
    private ApiUser user;

    @BeforeEach
    void start(TestCluster testCluster) throws IOException {
        cluster = testCluster;
        bench = new ClaimFixture(cluster);
        // The role in the deploy folder is enough.
        user = cluster.user("claims", role());
        bench.controller(user);
    }

    @AfterEach
    void stop() {
        bench.close();
        RequestCounts requests = cluster.requests(user);
        assertThat(requests.count(request -> request.code() == 403))
                .as("%s", requests)
                .isZero();
    }

    @Test
    void aClaimIsBoundInThreeWritesAndDeletedInOneWithoutAReadAndARestartCostsNothing() {
        String bucketClass = bench.bucketClass("Delete");
        bench.awaitSettled();
        RequestCounts before = cluster.requests(user);

        BucketClaim claim = bench.claim("photos", bucketClass, "");
        ReleasedBucket bucket = bench.provision(claim);
        bench.awaitEvent("photos", "Bound", bucket.getMetadata().getName());
        bench.awaitSettled();

        claim = bench.get("photos");
        assertThat(claim.getMetadata().getFinalizers()).containsExactly(ReleasedNames.CLAIM_FINALIZER);
        assertThat(claim.status())
                .isEqualTo(new BucketClaimStatus(true, bucket.getMetadata().getName()));
        assertThat(bucket.spec())
                .isEqualTo(new ReleasedBucketSpec(
                        "driver.test",
                        bucketClass,
                        ReleasedSamples.reference(
                                cluster.namespace(),
                                "photos",
                                claim.getMetadata().getUid()),
                        List.of("S3"),
                        Map.of("tier", "gold"),
                        "Delete",
                        ""));
        RequestCounts binding = cluster.requests(user).since(before).within(cluster.namespace());
        assertThat(binding.writes()).as("%s", binding).isEqualTo(3);
        assertThat(binding.reads()).as("%s", binding).isZero();
        assertThat(binding.events()).as("%s", binding).isEqualTo(1);

        ApiUser second = cluster.user("second");
        try (ControllerProcess _ = bench.controller(second)) {
            bench.awaitSettled();
        }
        RequestCounts restart = cluster.requests(second);
        assertThat(restart.writes() + restart.reads() + restart.events())
                .as("%s", restart)
                .isZero();
        assertThat(restart.lists()).as("%s", restart).isEqualTo(4);

        RequestCounts settled = cluster.requests(user);
        bench.delete(claim);
        bench.deprovision(claim);
        bench.awaitDeleted("photos");
        bench.awaitSettled();
        RequestCounts leaving = cluster.requests(user).since(settled).within(cluster.namespace());
        assertThat(leaving.writes()).as("%s", leaving).isEqualTo(1);
        assertThat(leaving.reads()).as("%s", leaving).isZero();
        assertThat(bench.findBucket(bucket.getMetadata().getName())).isNull();
    }

    @Test
    void aBucketThatIsRetainedCanBeBoundAgainByAClaimThatAnAdministratorNames() {
        BucketClaim claim = bench.claim("photos", bench.bucketClass("Retain"), "");
        String bucket = bench.provision(claim).getMetadata().getName();
        bench.awaitReady("photos");
        bench.delete(claim);
        bench.awaitDeleted("photos");
        assertThat(Objects.requireNonNull(bench.findBucket(bucket))
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();

        bench.claim("photos", "", bucket);
        bench.awaitEvent("photos", "BucketAlreadyBound", "former claim");
        assertThat(bench.get("photos").status().bucketName()).isEmpty();
        patch(bucket, "{\"spec\":{\"bucketClaim\":{\"uid\":null}}}");
        assertThat(bench.awaitReady("photos").status().bucketName()).isEqualTo(bucket);
    }

    @Test
    void anExistingBucketIsBoundOnlyToTheClaimThatItNamesAndIsNotDeletedWithIt() {
        String bucket =
                bench.existing("Delete", new ObjectReference()).getMetadata().getName();
        bench.claim("thief", "", bucket);
        BucketClaim claim = bench.claim("photos", "", bucket);
        bench.awaitEvent("photos", "BucketNotReserved", "kubectl patch bucket.objectstorage.k8s.io " + bucket);
        patch(
                bucket,
                "{\"spec\":{\"bucketClaim\":{\"namespace\":\"" + cluster.namespace() + "\",\"name\":\"photos\"}}}");
        assertThat(bench.awaitReady("photos").status().bucketName()).isEqualTo(bucket);
        bench.awaitEvent("thief", "BucketAlreadyBound", "another claim");
        assertThat(bench.get("thief").status().bucketReady()).isFalse();

        bench.delete(claim);
        bench.awaitDeleted("photos");
        assertThat(Objects.requireNonNull(bench.findBucket(bucket))
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();
    }

    @Test
    void whatTheReferenceLeavesIsRepaired() {
        BucketClaim claim = bench.claim("photos", bench.bucketClass("Delete"), "");
        bench.provision(claim);
        bench.awaitReady("photos");
        bench.setReady(claim, false);
        bench.awaitReady("photos");
        cluster.removeFinalizers(bench.get("photos"));
        Eventually.await("the finalizer")
                .until(() -> !bench.get("photos").getMetadata().getFinalizers().isEmpty());
    }

    @Test
    void aClaimWaitsForItsAccessesAndEndsWithoutASidecar() {
        // First the access: it is on another watch than the claim.
        ReleasedBucketAccess access = bench.access("viewer", "photos");
        BucketClaim claim = bench.claim("photos", bench.bucketClass("Delete"), "");
        String bucket = bench.bucketOf(claim).getMetadata().getName();
        bench.delete(claim);
        bench.awaitEvent("photos", "InUse", "viewer");
        assertThat(Objects.requireNonNull(bench.findBucket(bucket))
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();
        bench.delete(access);
        bench.awaitDeleted("photos");
        assertThat(bench.findBucket(bucket)).isNull();
    }

    private List<PolicyRule> role() throws IOException {
        try (InputStream yaml = Files.newInputStream(Path.of("../..", "deploy", "cosi-released-rbac.yaml"))) {
            return cluster.admin().load(yaml).items().stream()
                    .filter(ClusterRole.class::isInstance)
                    .map(ClusterRole.class::cast)
                    .findFirst()
                    .orElseThrow()
                    .getRules();
        }
    }

    private void patch(String bucket, String json) {
        cluster.admin()
                .resources(ReleasedBucket.class)
                .withName(bucket)
                .patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }
}
