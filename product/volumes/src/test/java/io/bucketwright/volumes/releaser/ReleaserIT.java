package io.bucketwright.volumes.releaser;

import static io.bucketwright.testing.Eventually.await;
import static io.bucketwright.volumes.podclaims.VolumeFixture.podClaimsUser;
import static io.bucketwright.volumes.podclaims.VolumeFixture.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.volumes.podclaims.VolumeFixture;
import io.bucketwright.volumes.podclaims.VolumeTestCase;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The releaser with the binder and the garbage collector of kube-controller-manager. */
@OnCluster
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
@Order(5)
class ReleaserIT extends VolumeTestCase {

    private static final String POD_LABEL = "dynamic-pvc-provisioner.kubernetes.io/managed-by";

    ReleaserIT() {
        super(VolumeFixture::releaserUser);
    }

    @Test
    void aVolumeOfAPodClaimIsAssociatedAndReleasedWithOneWriteAndOneEventEach() {
        String storageClass = bench.storageClass("static", Map.of());
        // reclaimable-pv-releaser failed for a volume without labels. The binder adds none.
        String volume = bench.volume("v", storageClass);
        bench.provisioner(podClaimsUser(cluster));
        bench.releaser(user);
        startCounting();
        bench.pod("web", "cache", template(storageClass));
        bench.awaitBound("cache");
        assertThat(bench.awaitEvent("PersistentVolume", volume, "Associated")).contains(bench.namespace() + "/cache");
        assertThat(bench.volume(volume).getMetadata().getLabels())
                .isEqualTo(Map.of("reclaimable-pv-releaser.kubernetes.io/managed-by", bench.id()));
        bench.awaitVolumesSettled();
        assertCost(1, 1);

        startCounting();
        bench.deletePod("web");
        bench.awaitEvent("PersistentVolume", volume, "Released");
        PersistentVolume free = bench.awaitPhase(volume, "Available");
        assertThat(free.getSpec().getClaimRef()).isNull();
        assertThat(free.getMetadata().getLabels()).isNullOrEmpty();
        assertThat(free.getMetadata().getAnnotations()).isNullOrEmpty();
        bench.awaitVolumesSettled();
        RequestCounts cost = assertCost(1, 1);
        assertThat(cost.reads() + cost.lists()).as("%s", cost).isZero();
        assertNothingForbidden();

        bench.pod("again", "cache-again", template(storageClass));
        assertThat(bench.awaitBound("cache-again").getSpec().getVolumeName()).isEqualTo(volume);
    }

    @Test
    void aClassAnnotationReleasesWithOneWriteAndOneEvent() {
        String storageClass = managedClass("static");
        String volume = bench.volume("v", storageClass);
        bench.releaser(user);
        startCounting();
        PersistentVolumeClaim claim = bench.create(bench.newClaim("cache", storageClass));
        bench.awaitBound("cache");
        cluster.admin().resource(claim).delete();
        bench.awaitEvent("PersistentVolume", volume, "Released");
        bench.awaitPhase(volume, "Available");
        bench.awaitVolumesSettled();
        RequestCounts cost = assertCost(1, 1);
        assertThat(cost.reads()).as("%s", cost).isZero();
    }

    @Test
    void volumesReleasedWithoutARunningReleaserAreReleasedAtItsStart() {
        String storageClass = managedClass("static");
        String plain = bench.storageClass("plain", Map.of());
        String volume = bench.volume("v", storageClass);
        String labelled = bench.volume("l", plain, volumeWithLabel(ReleaserNames.MANAGED_BY));
        bench.bindAndRelease(volume, "one", storageClass);
        bench.bindAndRelease(labelled, "two", plain);
        bench.releaser(user);
        bench.awaitPhase(volume, "Available");
        bench.awaitPhase(labelled, "Available");
    }

    /** The code of reclaimable-pv-releaser wrote another label key than its documentation described. */
    @ParameterizedTest
    @ValueSource(strings = {"reclaimable-pv-releaser.kubernetes.io/managed-by", "reclaimable-pv-releaser/managed-by"})
    void aLabelOfAnAdministratorReleasesTheVolumeAndIsKept(String key) {
        String storageClass = bench.storageClass("static", Map.of());
        String volume = bench.volume("v", storageClass, volumeWithLabel(key));
        bench.releaser(user, builder -> builder.automaticAssociation(false));
        for (int life = 0; life < 2; life++) {
            bench.bindAndRelease(volume, "cache-" + life, storageClass);
            bench.awaitPhase(volume, "Available");
            assertThat(bench.volume(volume).getMetadata().getLabels()).isEqualTo(Map.of(key, bench.id()));
            assertThat(bench.volume(volume).getSpec().getClaimRef()).isNull();
        }
    }

    @Test
    void withoutAutomaticAssociationAPodClaimReleasesNothing() {
        String storageClass = bench.storageClass("static", Map.of());
        String volume = bench.volume("v", storageClass);
        bench.provisioner(podClaimsUser(cluster));
        bench.releaser(user, builder -> builder.automaticAssociation(false));
        bench.pod("web", "cache", template(storageClass));
        bench.awaitBound("cache");
        bench.deletePod("web");
        assertStaysReleased(volume);
    }

    /** Any tenant can write a label. */
    @Test
    void aLabelOnAClaimWithoutAPodReleasesNothing() {
        String storageClass = bench.storageClass("static", Map.of());
        String volume = bench.volume("v", storageClass);
        bench.releaser(user);
        PersistentVolumeClaim labelled = bench.newClaim("cache", storageClass);
        labelled.getMetadata().setLabels(Map.of(POD_LABEL, bench.id()));
        PersistentVolumeClaim claim = bench.create(labelled);
        bench.awaitBound("cache");
        bench.awaitVolumesSettled();
        cluster.admin().resource(claim).delete();
        assertStaysReleased(volume);
    }

    @Test
    void softReleaseReservesTheVolumeForTheSameClaim() {
        String storageClass = managedClass("static", "soft");
        String volume = bench.volume("v", storageClass);
        bench.releaser(user);
        startCounting();
        PersistentVolumeClaim first = bench.create(bench.newClaim("cache", storageClass));
        awaitAnnotation(volume, ReleaserNames.NAMESPACE, true);
        cluster.admin().resource(first).delete();
        bench.awaitPhase(volume, "Released");
        bench.create(bench.newClaim("stranger", storageClass));
        bench.awaitVolumesSettled();
        assertReleased(volume);
        assertThat(bench.awaitClaim("stranger").getStatus().getPhase()).isEqualTo("Pending");
        bench.create(bench.newClaim("cache", storageClass));
        assertThat(bench.awaitBound("cache").getSpec().getVolumeName()).isEqualTo(volume);
        bench.awaitEvent("PersistentVolume", volume, "Released");
        awaitAnnotation(volume, ReleaserNames.FORMER_CLAIM, false);
        bench.awaitVolumesSettled();
        // The namespace's uid, the new claim's uid, and the end of the record of the former claim.
        assertCost(3, 1);
        assertNothingForbidden();
    }

    /** Kubernetes binds the new claim to another volume and removes the uid; the name alone must not reserve the volume. */
    @Test
    void aVolumeWhoseNewClaimIsBoundElsewhereIsReservedForItsFormerClaimAgain() {
        String storageClass = managedClass("static", "soft");
        String volume = bench.volume("v", storageClass);
        bench.releaser(user);
        PersistentVolumeClaim first = bench.create(bench.newClaim("cache", storageClass));
        awaitAnnotation(volume, ReleaserNames.NAMESPACE, true);
        cluster.admin().resource(first).delete();
        bench.awaitPhase(volume, "Released");
        bench.awaitVolumesSettled();
        // As Kubernetes leaves it.
        cluster.edit(bench.volume(volume), object -> {
            object.getSpec().getClaimRef().setUid(null);
            object.getMetadata()
                    .getAnnotations()
                    .put(
                            ReleaserNames.FORMER_CLAIM,
                            new RecordedClaim(bench.id(), first.getMetadata().getUid()).text());
        });
        assertThat(bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV")).contains("stays Released");
        bench.awaitPhase(volume, "Released");
        assertThat(bench.claimUid(volume)).isEqualTo(first.getMetadata().getUid());
        awaitAnnotation(volume, ReleaserNames.FORMER_CLAIM, false);
    }

    /** A tenant who gets the name of a deleted namespace must not get the data of its former tenant. */
    @Test
    void softReleaseNeverBindsAClaimOfANamespaceThatWasCreatedAgain() {
        String storageClass = managedClass("static", "soft");
        String volume = bench.volume("v", storageClass);
        String other = bench.namespace() + "-other";
        awaitOlder();
        bench.createNamespace(other);
        bench.releaser(user);
        PersistentVolumeClaim first =
                cluster.admin().resource(claimIn(other, storageClass)).create();
        awaitAnnotation(volume, ReleaserNames.NAMESPACE, true);
        // A new claim in the same namespace gets the data.
        cluster.admin().resource(first).delete();
        bench.awaitPhase(volume, "Released");
        PersistentVolumeClaim second =
                cluster.admin().resource(claimIn(other, storageClass)).create();
        bench.awaitPhase(volume, "Bound");
        assertThat(bench.claimUid(volume)).isEqualTo(second.getMetadata().getUid());

        cluster.admin().namespaces().withName(other).delete();
        bench.awaitPhase(volume, "Released");
        await("the namespace's deletion")
                .until(() -> cluster.admin().namespaces().withName(other).get() == null);
        bench.createNamespace(other);
        PersistentVolumeClaim stranger =
                cluster.admin().resource(claimIn(other, storageClass)).create();
        assertThat(bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV")).contains("created again");
        bench.awaitVolumesSettled();
        assertReleased(volume);
        assertThat(bench.claimUid(volume)).isEqualTo(second.getMetadata().getUid());
        assertThat(cluster.admin().resource(stranger).get().getStatus().getPhase())
                .isEqualTo("Pending");
    }

    @Test
    void modeNoneReleasesNothingUntilTheClassChanges() {
        String storageClass = managedClass("static", "none");
        String volume = bench.volume("v", storageClass);
        bench.releaser(user);
        bench.bindAndRelease(volume, "cache", storageClass);
        bench.awaitVolumesSettled();
        assertReleased(volume);
        setMode(storageClass, "wipe");
        assertThat(bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV")).contains("wipe");
        assertReleased(volume);
        setMode(storageClass, "full");
        bench.awaitPhase(volume, "Available");
    }

    @Test
    void anAssociationOfAnEarlierClaimReleasesNothing() {
        String storageClass = bench.storageClass("static", Map.of());
        String volume = bench.volume("v", storageClass, object -> {
            volumeWithLabel(ReleaserNames.MANAGED_BY).accept(object);
            object.getMetadata().setAnnotations(Map.of(ReleaserNames.ASSOCIATED, "an-older-life"));
        });
        bench.releaser(user);
        bench.bindAndRelease(volume, "private", storageClass);
        bench.awaitVolumesSettled();
        assertReleased(volume);
        assertThat(bench.volume(volume).getMetadata().getLabels()).isNullOrEmpty();
        assertThat(bench.claimUid(volume)).isNotEmpty();
    }

    @Test
    void aForbiddenReleaseIsReportedOnceAndRetried() {
        ApiUser weak = VolumeFixture.deployed(cluster, "weak", "bucketwright-releaser-events");
        String storageClass = managedClass("static");
        String volume = bench.volume("v", storageClass);
        List<PolicyRule> readOnly = role(user).getRules().stream()
                .peek(rule -> rule.getVerbs().remove("patch"))
                .filter(rule -> !rule.getApiGroups().contains("events.k8s.io"))
                .toList();
        cluster.edit(role(weak), role -> role.getRules().addAll(readOnly));
        bench.releaser(weak);
        bench.bindAndRelease(volume, "cache", storageClass);
        assertThat(bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV")).contains("forbidden");
        await("several attempts").until(() -> cluster.requests(weak).of("patch", "persistentvolumes") >= 3);
        assertThat(bench.reasons("PersistentVolume", volume)).containsExactly("ErrReleasePV");
        cluster.edit(
                role(weak),
                role -> role.getRules().stream()
                        .filter(rule -> rule.getResources().contains("persistentvolumes"))
                        .forEach(rule -> rule.getVerbs().add("patch")));
        bench.awaitPhase(volume, "Available");
    }

    /** The class of a static volume, which the releaser manages. */
    private String managedClass(String suffix) {
        return bench.storageClass(suffix, Map.of(ReleaserNames.CONTROLLER_ID, bench.id()));
    }

    private String managedClass(String suffix, String mode) {
        return bench.storageClass(suffix, Map.of(ReleaserNames.CONTROLLER_ID, bench.id(), ReleaserNames.MODE, mode));
    }

    private PersistentVolumeClaim claimIn(String namespace, String storageClass) {
        PersistentVolumeClaim claim = bench.newClaim("cache", storageClass);
        claim.getMetadata().setNamespace(namespace);
        return claim;
    }

    private void awaitAnnotation(String volume, String key, boolean present) {
        await(key + " on " + volume + ": " + present)
                .until(() -> Metadata.annotations(bench.volume(volume)).containsKey(key) == present);
    }

    /** Creation timestamps have a precision of one second. */
    private void awaitOlder() {
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        await("the next second").until(() -> Instant.now().isAfter(start.plusSeconds(1)));
    }

    /** Adds a label with the id of this test's controllers. */
    private Consumer<PersistentVolume> volumeWithLabel(String key) {
        return volume -> volume.getMetadata().setLabels(Map.of(key, bench.id()));
    }

    private void setMode(String storageClass, String mode) {
        cluster.edit(
                cluster.admin()
                        .storage()
                        .v1()
                        .storageClasses()
                        .withName(storageClass)
                        .require(),
                object -> object.getMetadata().getAnnotations().put(ReleaserNames.MODE, mode));
    }

    private void assertReleased(String volume) {
        assertThat(bench.volume(volume).getStatus().getPhase()).isEqualTo("Released");
    }

    /** Waits until the claim is deleted and the releaser has seen it; the volume must not have been written. */
    private void assertStaysReleased(String volume) {
        bench.awaitPhase(volume, "Released");
        bench.awaitVolumesSettled();
        assertReleased(volume);
        assertThat(cluster.requests(user).writes()).isZero();
    }

    private ClusterRole role(ApiUser of) {
        return cluster.admin().rbac().clusterRoles().withName(of.name()).require();
    }
}
