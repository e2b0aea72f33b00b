package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
@Order(4)
class LifecycleIT {

    private TestCluster cluster;
    private ControllerFixture bench;

    @BeforeEach
    void startController(TestCluster testCluster) {
        cluster = testCluster;
        bench = new ControllerFixture(cluster);
        bench.controller(cluster.user("cosi"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void objectsMayBeCreatedInAnyOrder() {
        bench.access("viewer", "photos", bench.namespace() + "-access");
        assertThat(bench.await("viewer", BucketAccessRequestPhase.BUCKET_REQUEST_NOT_FOUND))
                .contains("bucketRequestName photos");
        bench.newBucket("photos", bench.namespace() + "-class");
        bench.await("photos", BucketRequestPhase.BUCKET_CLASS_NOT_FOUND);
        bench.awaitAccessMessage("viewer", "does not exist: create it");
        bench.bucketClass();
        bench.await("viewer", BucketAccessRequestPhase.BUCKET_ACCESS_CLASS_NOT_FOUND);
        bench.accessClass();
        bench.awaitAccess("viewer");
        bench.awaitBound("photos");
        assertThat(bench.opens("viewer", "viewer")).isTrue();
    }

    @Test
    void anEditedOrDeletedSecretIsCopiedAgainAndARemovedLabelIsNoDeletion() {
        bind();
        String key = bench.key("viewer");
        bench.admin()
                .secrets()
                .inNamespace(bench.namespace())
                .withName("viewer")
                .delete();
        Eventually.await("a new copy").until(() -> bench.key("viewer").equals(key));
        bench.edit(
                bench.secret("viewer"), secret -> secret.setData(Map.of("SECRET_KEY", "d3Jvbmc=", "MORE", "bW9yZQ==")));
        Eventually.await("the right content").until(() -> bench.key("viewer").equals(key));
        assertThat(ControllerFixture.existing(bench.secret("viewer")).getData()).doesNotContainKey("MORE");
        String uid =
                ControllerFixture.existing(bench.secret("viewer")).getMetadata().getUid();
        bench.corruptSecret("viewer");
        Eventually.await("label and content").until(() -> bench.key("viewer").equals(key));
        assertThat(ControllerFixture.existing(bench.secret("viewer"))
                        .getMetadata()
                        .getUid())
                .isEqualTo(uid);
        assertThat(ControllerFixture.existing(bench.secret("viewer"))
                        .getMetadata()
                        .getLabels())
                .containsKey(CosiNames.BUCKET_ACCESS_UID);
        bench.edit(
                bench.secret("viewer"),
                secret -> secret.getMetadata().getLabels().put("team", "a"));
        // More than the cache keeps.
        String large = "QUJD".repeat(10_000);
        BucketAccess access = bench.accessOf("viewer");
        bench.edit(
                bench.admin()
                        .secrets()
                        .inNamespace(access.getSpec().servedBy().orElseThrow().namespace())
                        .withName(access.account())
                        .get(),
                secret -> secret.getData().put("LARGE", large));
        Eventually.await("a copy of the large data")
                .until(() -> large.equals(ControllerFixture.existing(bench.secret("viewer"))
                        .getData()
                        .get("LARGE")));
        assertThat(ControllerFixture.existing(bench.secret("viewer"))
                        .getMetadata()
                        .getLabels())
                .as("labels of others stay")
                .containsEntry("team", "a");
        assertThat(bench.sidecar.calls).as("none of this calls the store").containsExactly("create", "grant");
    }

    @Test
    void aSecretOfAnotherOwnerIsNotChangedAndReplacedAfterItsDeletion() {
        bench.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(bench.namespace())
                        .withName("precious")
                        .endMetadata()
                        .addToStringData("SECRET_KEY", "precious")
                        .build())
                .create();
        bench.newBucket("photos", bench.bucketClass());
        bench.createAccess(
                bench.namespace(),
                "viewer",
                "bucketRequestName",
                "photos",
                "accessSecretName",
                "precious",
                "bucketAccessClassName",
                bench.accessClass());
        assertThat(bench.await("viewer", BucketAccessRequestPhase.SECRET_IN_USE))
                .contains("Secret precious exists");
        assertThat(bench.key("precious")).isEqualTo("precious");
        bench.admin()
                .secrets()
                .inNamespace(bench.namespace())
                .withName("precious")
                .delete();
        bench.awaitAccess("viewer");
        assertThat(bench.opens("viewer", "precious")).isTrue();
    }

    @Test
    void anAdministratorMayDeleteAnAccess() {
        bind();
        bench.admin().resource(bench.accessOf("viewer")).delete();
        assertThat(bench.await("viewer", BucketAccessRequestPhase.ACCESS_LOST)).contains("access is revoked");
        Eventually.await("the deletion of the access")
                .until(() -> bench.accesses().isEmpty());
        assertThat(bench.sidecar.accounts).isEmpty();
        assertThat(bench.bucketOf("photos").getSpec().bindings()).isEmpty();
        bench.deleteAccess("viewer");
        bench.awaitAccessDeleted("viewer");
        bench.access("viewer", "photos", bench.namespace() + "-access");
        bench.awaitAccess("viewer");
        assertThat(bench.opens("viewer", "viewer")).isTrue();
    }

    @Test
    void anAdministratorMayDeleteABucketWhichWaitsForItsUsers() {
        bind();
        String bucket = bench.bucketOf("photos").getMetadata().getName();
        bench.admin().resource(bench.bucketOf("photos")).delete();
        bench.await("photos", BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS);
        bench.awaitAccessMessage("viewer", "is being deleted");
        assertThat(bench.sidecar.buckets).hasSize(1);
        assertThat(bench.opens("viewer", "viewer")).isTrue();
        bench.deleteAccess("viewer");
        Eventually.await("the deletion of the Bucket").until(() -> bench.bucketNamed(bucket) == null);
        assertThat(bench.await("photos", BucketRequestPhase.BUCKET_DELETED)).contains("is not created again");
        assertThat(bench.sidecar.buckets).isEmpty();
        bench.deleteRequest("photos");
        bench.awaitRequestDeleted("photos");
    }

    @Test
    void aRequestWaitsForItsAccessAndReportsIt() {
        bind();
        bench.deleteRequest("photos");
        assertThat(bench.await("photos", BucketRequestPhase.DELETING)).contains("BucketAccessRequest viewer");
        assertThat(bench.opens("viewer", "viewer")).isTrue();
        bench.deleteAccess("viewer");
        bench.awaitRequestDeleted("photos");
        assertThat(bench.buckets()).isEmpty();
    }

    @Test
    void problemsOfTheProvisionerAreReportedOnTheRequests() {
        bench.sidecar.bucketTrouble = "the store is full";
        bench.newBucket("photos", bench.bucketClass());
        bench.access("viewer", "photos", bench.accessClass());
        bench.awaitMessage("photos", "the store is full");
        bench.awaitAccessMessage("viewer", "the store is full");
        bench.sidecar.accessTrouble =
                new ProvisionerReport(BucketAccessPhase.FAILED, ProvisionerReason.INVALID_PRINCIPAL, "nobody").encode();
        bench.sidecar.bucketTrouble = "";
        bench.sidecar.wake();
        assertThat(bench.await("viewer", BucketAccessRequestPhase.ACCESS_FAILED))
                .isEqualTo("InvalidPrincipal: nobody");
        Eventually.await("Failed")
                .until(() -> bench.accessOf("viewer").phase().equals(Optional.of(BucketAccessPhase.FAILED)));
        bench.sidecar.accessTrouble = "";
        bench.sidecar.wake();
        bench.awaitAccess("viewer");
        bench.sidecar.accessTrouble = "the store is away";
        bench.deleteAccess("viewer");
        bench.awaitAccessMessage("viewer", "the store is away");
        bench.sidecar.accessTrouble = "";
        bench.sidecar.wake();
        bench.awaitAccessDeleted("viewer");
        Eventually.await("events")
                .untilAsserted(() -> assertThat(cluster.events())
                        .extracting(Event::getReason)
                        .contains(
                                "FailedCreateBucket",
                                "WaitingForBucket",
                                "FailedGrantAccess",
                                "FailedRevokeAccess",
                                "Bound"));
    }

    @Test
    void rotationReachesTheApplication() {
        bind();
        String before = bench.key("viewer");
        bench.edit(
                bench.accessRequest("viewer"),
                request -> request.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, "2026-01-01T00:00:00Z")));
        Eventually.await("new keys")
                .until(() -> !bench.key("viewer").equals(before) && bench.opens("viewer", "viewer"));
        assertThat(bench.sidecar.calls).containsExactly("create", "grant", "rotate");
    }

    @Test
    void aRequestCreatedAgainUnderTheSameNameIsAnother() {
        bind();
        for (int round = 0; round < 3; round++) {
            bench.deleteBoth("photos", "viewer");
            bench.bind("photos", "viewer", bench.namespace() + "-class", bench.namespace() + "-access");
            assertThat(bench.opens("viewer", "viewer")).isTrue();
            assertThat(bench.sidecar.buckets)
                    .containsExactly(ControllerFixture.existing(bench.request("photos"))
                            .getMetadata()
                            .getUid());
        }
    }

    @Test
    void theLongestNamesWork() {
        String longest = "a" + "b".repeat(251) + "c";
        bench.bind(longest, longest, bench.bucketClass(), bench.accessClass());
        assertThat(bench.bucketOf(longest).getMetadata().getName()).hasSizeLessThanOrEqualTo(253);
        assertThat(bench.opens(longest, longest)).isTrue();
    }

    @Test
    void aRestartCostsNothingPerObject() {
        bind();
        bench.awaitSettled();
        ApiUser second = cluster.user("second");
        bench.controller(second);
        bench.awaitSettled();
        RequestCounts requests = cluster.requests(second);
        assertThat(requests.writes()).as("%s", requests).isZero();
        assertThat(requests.reads()).as("%s", requests).isZero();
        assertThat(requests.events()).as("%s", requests).isZero();
        assertThat(requests.lists()).as("%s", requests).isEqualTo(8);
    }

    private void bind() {
        bench.bind("photos", "viewer", bench.bucketClass(), bench.accessClass());
    }
}
