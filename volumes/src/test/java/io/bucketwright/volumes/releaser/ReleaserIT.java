package io.bucketwright.volumes.releaser;

import static io.bucketwright.volumes.podclaims.VolumeBench.await;
import static io.bucketwright.volumes.podclaims.VolumeBench.podClaimsUser;
import static io.bucketwright.volumes.podclaims.VolumeBench.releaserUser;
import static io.bucketwright.volumes.podclaims.VolumeBench.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.podclaims.VolumeBench;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The releaser with the binder and the garbage collector of kube-controller-manager. */
@OnCluster
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
class ReleaserIT {

    private static final String POD_LABEL = "dynamic-pvc-provisioner.kubernetes.io/managed-by";

    @Test
    void aVolumeOfAPodClaimIsAssociatedAndReleasedWithOneWriteAndOneEventEach(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of());
            // reclaimable-pv-releaser failed for a volume without labels. The binder adds none.
            String volume = bench.volume("v", storageClass);
            bench.provisioner(podClaimsUser(cluster));
            bench.releaser(user);
            RequestCounts before = cluster.requests(user);
            bench.pod("web", "cache", template(storageClass));
            bench.awaitBound("cache");
            assertThat(bench.awaitEvent("PersistentVolume", volume, "Associated"))
                    .contains(bench.namespace() + "/cache");
            assertThat(bench.volume(volume).getMetadata().getLabels())
                    .isEqualTo(Map.of("reclaimable-pv-releaser.kubernetes.io/managed-by", bench.id()));
            bench.awaitVolumesSettled();
            RequestCounts associated = cluster.requests(user);
            assertThat(associated.since(before).writes())
                    .as("%s", associated.since(before))
                    .isEqualTo(1);
            assertThat(associated.since(before).events()).isEqualTo(1);

            bench.deletePod("web");
            bench.awaitEvent("PersistentVolume", volume, "Released");
            PersistentVolume free = bench.awaitPhase(volume, "Available");
            assertThat(free.getSpec().getClaimRef()).isNull();
            assertThat(free.getMetadata().getLabels()).isNullOrEmpty();
            assertThat(free.getMetadata().getAnnotations()).isNullOrEmpty();
            bench.awaitVolumesSettled();
            RequestCounts cost = cluster.requests(user).since(associated);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(1);
            assertThat(cost.events()).as("%s", cost).isEqualTo(1);
            assertThat(cost.reads() + cost.lists()).as("%s", cost).isZero();
            assertThat(cluster.requests(user)
                            .count(request ->
                                    request.code() == 403 && !request.verb().equals("get")))
                    .isZero();

            bench.pod("again", "cache-again", template(storageClass));
            assertThat(bench.awaitBound("cache-again").getSpec().getVolumeName())
                    .isEqualTo(volume);
        }
    }

    @Test
    void aClassAnnotationReleasesWithOneWriteAndOneEvent(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of(ReleaserNames.CONTROLLER_ID, bench.id()));
            String volume = bench.volume("v", storageClass);
            bench.releaser(user);
            RequestCounts before = cluster.requests(user);
            PersistentVolumeClaim claim = bench.create(claim(bench, "cache", storageClass, Map.of()));
            bench.awaitBound("cache");
            cluster.admin().resource(claim).delete();
            bench.awaitEvent("PersistentVolume", volume, "Released");
            bench.awaitPhase(volume, "Available");
            bench.awaitVolumesSettled();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(1);
            assertThat(cost.events()).as("%s", cost).isEqualTo(1);
            assertThat(cost.reads()).as("%s", cost).isZero();
        }
    }

    @Test
    void volumesReleasedWithoutARunningReleaserAreReleasedAtItsStart(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of(ReleaserNames.CONTROLLER_ID, bench.id()));
            String plain = bench.storageClass("plain", Map.of());
            String volume = bench.volume("v", storageClass);
            String labelled = bench.volume(
                    "l",
                    plain,
                    object -> object.getMetadata()
                            .setLabels(new HashMap<>(Map.of(ReleaserNames.MANAGED_BY, bench.id()))));
            release(bench, volume, "one", storageClass);
            release(bench, labelled, "two", plain);
            bench.releaser(user);
            bench.awaitPhase(volume, "Available");
            bench.awaitPhase(labelled, "Available");
        }
    }

    /** The code of reclaimable-pv-releaser wrote another label key than its documentation described. */
    @ParameterizedTest
    @ValueSource(strings = {"reclaimable-pv-releaser.kubernetes.io/managed-by", "reclaimable-pv-releaser/managed-by"})
    void aLabelOfAnAdministratorReleasesTheVolumeAndIsKept(String key, TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of());
            String volume = bench.volume(
                    "v",
                    storageClass,
                    object -> object.getMetadata().setLabels(new HashMap<>(Map.of(key, bench.id()))));
            bench.releaser(user, builder -> builder.automaticAssociation(false));
            for (int life = 0; life < 2; life++) {
                release(bench, volume, "cache-" + life, storageClass);
                bench.awaitPhase(volume, "Available");
                assertThat(bench.volume(volume).getMetadata().getLabels()).isEqualTo(Map.of(key, bench.id()));
                assertThat(bench.volume(volume).getSpec().getClaimRef()).isNull();
            }
        }
    }

    @Test
    void withoutAutomaticAssociationAPodClaimReleasesNothing(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of());
            String volume = bench.volume("v", storageClass);
            bench.provisioner(podClaimsUser(cluster));
            bench.releaser(user, builder -> builder.automaticAssociation(false));
            bench.pod("web", "cache", template(storageClass));
            bench.awaitBound("cache");
            bench.deletePod("web");
            bench.awaitPhase(volume, "Released");
            bench.awaitVolumesSettled();
            assertThat(bench.volume(volume).getStatus().getPhase()).isEqualTo("Released");
            assertThat(cluster.requests(user).writes()).isZero();
        }
    }

    /** Any tenant can write a label. */
    @Test
    void aLabelOnAClaimWithoutAPodReleasesNothing(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of());
            String volume = bench.volume("v", storageClass);
            bench.releaser(user);
            PersistentVolumeClaim claim =
                    bench.create(claim(bench, "cache", storageClass, Map.of(POD_LABEL, bench.id())));
            bench.awaitBound("cache");
            bench.awaitVolumesSettled();
            cluster.admin().resource(claim).delete();
            bench.awaitPhase(volume, "Released");
            bench.awaitVolumesSettled();
            assertThat(bench.volume(volume).getStatus().getPhase()).isEqualTo("Released");
            assertThat(cluster.requests(user).writes()).isZero();
        }
    }

    @Test
    void softReleaseReservesTheVolumeForTheSameClaim(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass(
                    "static", Map.of(ReleaserNames.CONTROLLER_ID, bench.id(), ReleaserNames.MODE, "soft"));
            String volume = bench.volume("v", storageClass);
            bench.releaser(user);
            RequestCounts before = cluster.requests(user);
            release(bench, volume, "cache", storageClass);
            PersistentVolume free = bench.awaitPhase(volume, "Available");
            bench.awaitEvent("PersistentVolume", volume, "Released");
            assertThat(free.getSpec().getClaimRef().getName()).isEqualTo("cache");
            assertThat(free.getSpec().getClaimRef().getNamespace()).isEqualTo(bench.namespace());
            assertThat(free.getSpec().getClaimRef().getUid()).isNull();
            assertThat(free.getSpec().getClaimRef().getResourceVersion()).isNull();
            bench.create(claim(bench, "stranger", storageClass, Map.of()));
            bench.awaitVolumesSettled();
            assertThat(bench.awaitClaim("stranger").getStatus().getPhase()).isEqualTo("Pending");
            bench.create(claim(bench, "cache", storageClass, Map.of()));
            assertThat(bench.awaitBound("cache").getSpec().getVolumeName()).isEqualTo(volume);
            bench.awaitVolumesSettled();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(1);
            assertThat(cost.events()).as("%s", cost).isEqualTo(1);
        }
    }

    @Test
    void modeNoneReleasesNothingUntilTheClassChanges(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass(
                    "static", Map.of(ReleaserNames.CONTROLLER_ID, bench.id(), ReleaserNames.MODE, "none"));
            String volume = bench.volume("v", storageClass);
            bench.releaser(user);
            release(bench, volume, "cache", storageClass);
            bench.awaitVolumesSettled();
            assertThat(bench.volume(volume).getStatus().getPhase()).isEqualTo("Released");
            setMode(cluster, storageClass, "wipe");
            assertThat(bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV"))
                    .contains("wipe");
            assertThat(bench.volume(volume).getStatus().getPhase()).isEqualTo("Released");
            setMode(cluster, storageClass, "full");
            bench.awaitPhase(volume, "Available");
        }
    }

    /** reclaimable-pv-releaser checked neither the reclaim policy nor the deletion timestamp. */
    @Test
    void volumesWithPolicyDeleteOrBeingDeletedAreNotChanged(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of(ReleaserNames.CONTROLLER_ID, bench.id()));
            String other = bench.storageClass("other", Map.of(ReleaserNames.CONTROLLER_ID, bench.id()));
            String toDelete = bench.volume("d", storageClass, object -> {
                object.getSpec().setPersistentVolumeReclaimPolicy("Delete");
                // Provisioned by another driver, so that the binder does not delete it.
                object.getMetadata()
                        .setAnnotations(new HashMap<>(Map.of("pv.kubernetes.io/provisioned-by", "test/driver")));
            });
            String going =
                    bench.volume("g", other, object -> object.getMetadata().setFinalizers(List.of("test/hold")));
            release(bench, toDelete, "one", storageClass);
            release(bench, going, "two", other);
            cluster.admin().persistentVolumes().withName(going).delete();
            bench.releaser(user);
            bench.awaitVolumesSettled();
            assertThat(bench.claimUid(toDelete)).isNotEmpty();
            assertThat(bench.claimUid(going)).isNotEmpty();
            assertThat(cluster.requests(user).writes()).isZero();
            cluster.admin().persistentVolumes().withName(going).edit(object -> {
                object.getMetadata().setFinalizers(List.of());
                return object;
            });
        }
    }

    @Test
    void anAssociationOfAnEarlierClaimReleasesNothing(TestCluster cluster) {
        ApiUser user = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of());
            String volume = bench.volume("v", storageClass, object -> {
                object.getMetadata().setLabels(new HashMap<>(Map.of(ReleaserNames.MANAGED_BY, bench.id())));
                object.getMetadata().setAnnotations(new HashMap<>(Map.of(ReleaserNames.ASSOCIATED, "an-older-life")));
            });
            bench.releaser(user);
            release(bench, volume, "private", storageClass);
            bench.awaitVolumesSettled();
            assertThat(bench.volume(volume).getStatus().getPhase()).isEqualTo("Released");
            assertThat(bench.volume(volume).getMetadata().getLabels()).isNullOrEmpty();
            assertThat(bench.claimUid(volume)).isNotEmpty();
        }
    }

    @Test
    void aForbiddenReleaseIsReportedOnceAndRetried(TestCluster cluster) {
        ApiUser user = VolumeBench.deployed(cluster, "weak", "bucketwright-releaser-events");
        ApiUser strong = releaserUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            String storageClass = bench.storageClass("static", Map.of(ReleaserNames.CONTROLLER_ID, bench.id()));
            String volume = bench.volume("v", storageClass);
            // Read access only.
            cluster.admin().rbac().clusterRoles().withName(user.name()).edit(role -> {
                role.getRules()
                        .addAll(cluster.admin().rbac().clusterRoles().withName(strong.name()).get().getRules().stream()
                                .peek(rule -> rule.getVerbs().remove("patch"))
                                .filter(rule -> !rule.getApiGroups().contains("events.k8s.io"))
                                .toList());
                return role;
            });
            bench.releaser(user);
            release(bench, volume, "cache", storageClass);
            assertThat(bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV"))
                    .contains("forbidden");
            await("several attempts").until(() -> cluster.requests(user).of("patch", "persistentvolumes") >= 3);
            assertThat(bench.reasons("PersistentVolume", volume)).containsExactly("ErrReleasePV");
            cluster.admin().rbac().clusterRoles().withName(user.name()).edit(role -> {
                role.getRules().forEach(rule -> {
                    if (rule.getResources().contains("persistentvolumes")) {
                        rule.getVerbs().add("patch");
                    }
                });
                return role;
            });
            bench.awaitPhase(volume, "Available");
        }
    }

    private static void setMode(TestCluster cluster, String storageClass, String mode) {
        cluster.admin().storage().v1().storageClasses().withName(storageClass).edit(object -> {
            object.getMetadata().getAnnotations().put(ReleaserNames.MODE, mode);
            return object;
        });
    }

    /** Binds the volume to a claim of that name and deletes the claim. */
    private static void release(VolumeBench bench, String volume, String name, String storageClass) {
        PersistentVolumeClaim claim = claim(bench, name, storageClass, Map.of());
        claim.getSpec().setVolumeName(volume);
        PersistentVolumeClaim made = bench.create(claim);
        bench.awaitBound(name);
        String uid = made.getMetadata().getUid();
        bench.admin().resource(made).delete();
        await("the end of the claim on " + volume)
                .until(() -> !bench.claimUid(volume).equals(uid)
                        || List.of("Released", "Failed")
                                .contains(bench.volume(volume).getStatus().getPhase()));
    }

    private static PersistentVolumeClaim claim(
            VolumeBench bench, String name, String storageClass, Map<String, String> labels) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(bench.namespace())
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName(storageClass)
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec()
                .build();
    }
}
