package io.bucketwright.volumes.podclaims;

import static io.bucketwright.testing.Eventually.await;
import static io.bucketwright.volumes.podclaims.VolumeFixture.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Claims of pods on a real API server, with the real garbage collector, as the service account of deploy/volumes-rbac.yaml. */
@OnCluster
@ResourceLock("pod claims of all namespaces")
@Order(1)
class PodClaimsIT extends VolumeTestCase {

    private static final String TEMPLATE_OF_DATA = PodClaimAnnotations.PREFIX + "data" + PodClaimAnnotations.TEMPLATE;

    PodClaimsIT() {
        super(VolumeFixture::podClaimsUser);
    }

    @Test
    void aPendingPodGetsItsClaimForOneWriteAndOneEventAndNoRead() {
        bench.provisioner(user);
        startCounting();
        Pod pod = bench.pod("web", "cache", template("fast"));
        PersistentVolumeClaim claim = bench.awaitClaim("cache");
        assertThat(bench.awaitEvent("Pod", "web", "PVCProvisioned")).contains("cache", "data");
        assertThat(claim.getSpec().getStorageClassName()).isEqualTo("fast");
        assertThat(claim.getSpec().getAccessModes()).containsExactly("ReadWriteOnce");
        assertThat(claim.getSpec().getResources().getRequests()).containsEntry("storage", new Quantity("1Gi"));
        assertThat(claim.getMetadata().getLabels())
                .containsExactlyEntriesOf(Map.of("dynamic-pvc-provisioner.kubernetes.io/managed-by", bench.id()));
        OwnerReference owner = claim.getMetadata().getOwnerReferences().getFirst();
        assertThat(owner.getKind()).isEqualTo("Pod");
        assertThat(owner.getUid()).isEqualTo(pod.getMetadata().getUid());
        assertThat(owner.getController()).isTrue();
        assertThat(owner.getBlockOwnerDeletion()).isTrue();
        bench.awaitPodsSettled();
        RequestCounts cost = assertCost(1, 1);
        assertThat(cost.reads() + cost.lists()).as("%s", cost).isZero();
        assertNothingForbidden();
    }

    @Test
    void aRestartWithAllClaimsCreatedCostsNothingPerPod() {
        bench.pod("one", "cache-one", template("fast"));
        bench.pod("two", "cache-two", template("fast"));
        try (ControllerProcess _ = bench.provisioner(user)) {
            bench.awaitEvent("Pod", "one", "PVCProvisioned");
            bench.awaitEvent("Pod", "two", "PVCProvisioned");
        }
        startCounting();
        bench.provisioner(user);
        bench.awaitPodsSettled();
        RequestCounts cost = cost();
        assertThat(cost.writes() + cost.events() + cost.reads()).as("%s", cost).isZero();
        assertThat(cost.lists()).as("pods and claims, %s", cost).isEqualTo(2);
    }

    @Test
    void labelsAnnotationsAndSpecOfTheTemplatePassThroughAndItsNameDoesNot() {
        bench.provisioner(user);
        bench.pod("web", "cache", """
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                \t"metadata": {"name": "other", "generateName": "x-", "resourceVersion": "7",
                \t\t"labels": {"team": "a", "dynamic-pvc-provisioner.kubernetes.io/managed-by": "somebody"},
                \t\t"annotations": {"note": "b"},
                \t\t"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "y"}]},
                \t"spec": {"storageClassName": "", "volumeMode": "Block", "volumeName": "some",
                \t\t"selector": {"matchLabels": {"disk": "ssd"}},
                \t\t"resources": {"requests": {"storage": "2Gi"}, "limits": {"storage": "3Gi"}},
                \t\t"accessModes": ["ReadWriteOncePod"]}}
                """);
        PersistentVolumeClaim claim = bench.awaitClaim("cache");
        assertThat(bench.claim("other")).isNull();
        assertThat(claim.getMetadata().getLabels())
                .isEqualTo(Map.of("team", "a", PodClaimAnnotations.MANAGED_BY, bench.id()));
        assertThat(claim.getMetadata().getAnnotations()).containsEntry("note", "b");
        assertThat(claim.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getName)
                .containsExactly("web");
        assertThat(claim.getSpec().getStorageClassName()).isEmpty();
        assertThat(claim.getSpec().getVolumeMode()).isEqualTo("Block");
        assertThat(claim.getSpec().getVolumeName()).isEqualTo("some");
        assertThat(claim.getSpec().getSelector().getMatchLabels()).containsEntry("disk", "ssd");
        assertThat(claim.getSpec().getResources().getLimits()).containsEntry("storage", new Quantity("3Gi"));
        assertThat(claim.getSpec().getAccessModes()).containsExactly("ReadWriteOncePod");
    }

    @Test
    void anInvalidVolumeDoesNotDelayTheOthersAndIsReportedOnce() {
        bench.provisioner(user);
        startCounting();
        bench.create(bench.waiting(
                "web",
                Map.of("a", "claim-a", "b", "claim-b", "c", "claim-c"),
                Map.of("a", template("fast"), "b", "kind: Nonsense", "c", template("fast"), "d", "x: y")));
        bench.awaitClaim("claim-a");
        bench.awaitClaim("claim-c");
        bench.awaitEvent("Pod", "web", "ErrInvalidPVC");
        bench.awaitEvent("Pod", "web", "ErrMissingVolume");
        touch("web", 5);
        bench.awaitPodsSettled();
        assertThat(bench.reasons("Pod", "web"))
                .containsExactlyInAnyOrder("PVCProvisioned", "PVCProvisioned", "ErrInvalidPVC", "ErrMissingVolume");
        assertCost(2, 4);
    }

    @Test
    void aRejectedClaimIsTriedAndReportedOnceUntilTheTemplateChanges() {
        bench.provisioner(user);
        startCounting();
        bench.pod("web", "cache", template("Not A Class"));
        assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed")).contains("storageClassName");
        touch("web", 3);
        bench.awaitPodsSettled();
        assertCost(1, 1);
        annotate("web", TEMPLATE_OF_DATA, template("fast"));
        bench.awaitClaim("cache");
    }

    @Test
    void aForbiddenClaimIsReportedOnceAndCreatedWhenItIsAllowed() {
        LimitRange limit = bench.create(Serialization.unmarshal("""
                metadata: {namespace: %s, name: big}
                spec: {limits: [{type: PersistentVolumeClaim, min: {storage: 5Gi}}]}
                """.formatted(bench.namespace()), LimitRange.class));
        bench.provisioner(user);
        bench.pod("web", "cache", template("fast"));
        assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed")).contains("5Gi");
        await("several attempts").until(() -> cluster.requests(user).of("create", "persistentvolumeclaims") >= 3);
        assertThat(bench.reasons("Pod", "web")).containsExactly("ErrPVCProvisionFailed");
        cluster.admin().resource(limit).delete();
        bench.awaitClaim("cache");
    }

    @Test
    void aClaimOfAnotherOwnerIsNeverAdoptedAndItsDeletionTriggersAReconcile() {
        PersistentVolumeClaim foreign = bench.create(bench.newClaim("cache", "fast"));
        bench.provisioner(user);
        startCounting();
        Pod pod = bench.pod("web", "cache", template("fast"));
        assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed")).contains("cache", "not owned by this pod");
        bench.awaitPodsSettled();
        PersistentVolumeClaim still = bench.awaitClaim("cache");
        assertThat(still.getMetadata().getUid()).isEqualTo(foreign.getMetadata().getUid());
        assertThat(still.getMetadata().getOwnerReferences()).isEmpty();
        RequestCounts cost = cost();
        assertThat(cost.writes() + cost.reads()).as("%s", cost).isZero();
        cluster.admin().resource(foreign).delete();
        await("the pod's own claim").until(() -> isClaimOf(pod));
    }

    @Test
    void aNewPodOfTheSameNameGetsItsOwnClaimAfterTheFormerOneIsCollected() {
        bench.provisioner(user);
        bench.pod("web", "cache", template("fast"));
        String first = bench.awaitClaim("cache").getMetadata().getUid();
        // Keeps the first claim until the test removes the finalizer.
        cluster.edit(
                bench.awaitClaim("cache"),
                claim -> claim.getMetadata().setFinalizers(List.of("test.bucketwright.io/hold")));
        bench.deletePod("web");
        await("the deletion of the first pod").until(() -> bench.pod("web").get() == null);
        bench.pod("web", "cache", template("fast"));
        await("the garbage collector")
                .until(() -> bench.awaitClaim("cache").getMetadata().getDeletionTimestamp() != null);
        bench.awaitPodsSettled();
        assertThat(bench.awaitClaim("cache").getMetadata().getUid()).isEqualTo(first);
        cluster.removeFinalizers(bench.awaitClaim("cache"));
        await("the second claim")
                .until(() -> bench.claim("cache") != null
                        && !bench.awaitClaim("cache").getMetadata().getUid().equals(first));
        bench.awaitPodsSettled();
        // Of both pods: no problem was reported.
        assertThat(bench.reasons("Pod", "web")).containsOnly("PVCProvisioned");
    }

    @Test
    void theGarbageCollectorDeletesTheClaimWithItsPod() {
        bench.provisioner(user);
        bench.pod("web", "cache", template("fast"));
        bench.awaitClaim("cache");
        bench.deletePod("web");
        await("the deletion of the claim").until(() -> bench.claim("cache") == null);
        bench.awaitPodsSettled();
        assertThat(bench.claim("cache")).isNull();
    }

    /** dynamic-pvc-provisioner did not check the deletion timestamp. */
    @Test
    void aPodThatIsBeingDeletedGetsNothing() {
        Pod held = bench.waiting("web", Map.of("data", "cache"), Map.of("data", template("fast")));
        held.getMetadata().setFinalizers(List.of("test.bucketwright.io/hold"));
        bench.create(held);
        bench.deletePod("web");
        bench.provisioner(user);
        awaitClaimOfAnotherPod();
        assertNothingDoneFor("web", "cache");
        bench.editPod("web", pod -> pod.getMetadata().setFinalizers(List.of()));
    }

    /** dynamic-pvc-provisioner watched all pods of the cluster. */
    @Test
    void aPodThatIsNotPendingIsNotSeen() {
        bench.create(bench.waiting("web", Map.of("data", "cache"), Map.of()));
        setPhase("Running");
        bench.provisioner(user);
        annotate("web", TEMPLATE_OF_DATA, template("fast"));
        annotate("web", PodClaimAnnotations.PREFIX + "data" + PodClaimAnnotations.ENABLED, "true");
        awaitClaimOfAnotherPod();
        assertNothingDoneFor("web", "cache");
        setPhase("Pending");
        bench.awaitClaim("cache");
    }

    @Test
    void onlyPodsOfTheNamespaceAreServed() {
        String other = cluster.namespace() + "-other";
        bench.createNamespace(other);
        bench.provisioner(user);
        Pod elsewhere = bench.waiting("web", Map.of("data", "cache"), Map.of("data", template("fast")));
        elsewhere.getMetadata().setNamespace(other);
        bench.create(elsewhere);
        bench.pod("web", "cache", template("fast"));
        bench.awaitClaim("cache");
        bench.awaitPodsSettled();
        assertThat(claimsIn(other)).isEmpty();
        bench.provisioner(cluster.user("everywhere"), builder -> builder.namespace(""));
        await("the claim elsewhere").until(() -> !claimsIn(other).isEmpty());
    }

    /** The name of an annotation has at most 63 characters: the API server sets the limit. */
    @Test
    void aVolumeNameOf55CharactersWorksAndALongerOneIsRefusedWithThePod() {
        String longest = "v".repeat(55);
        String tooLong = "v".repeat(56);
        bench.provisioner(user);
        bench.create(bench.waiting("web", Map.of(longest, "cache"), Map.of(longest, template("fast"))));
        bench.awaitClaim("cache");
        assertThatThrownBy(() ->
                        bench.create(bench.waiting("two", Map.of(tooLong, "c"), Map.of(tooLong, template("fast")))))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("63");
    }

    /** Aliases that multiply, tags that name classes, endless nesting: one event each, and the next pod is served. */
    @Test
    void eachMaliciousTemplateIsOneEventAndOtherPodsAreServed() {
        bench.provisioner(user);
        startCounting();
        List<String> hostile = UntrustedYamlTest.malicious().toList();
        for (int i = 0; i < hostile.size(); i++) {
            bench.pod("bad-" + i, "bad-" + i, hostile.get(i));
        }
        for (int i = 0; i < hostile.size(); i++) {
            boolean large = hostile.get(i).length() > 32 * 1024;
            bench.awaitEvent("Pod", "bad-" + i, large ? Problem.TOO_LARGE : "ErrInvalidPVC");
        }
        bench.pod("good", "good", template("fast"));
        bench.awaitClaim("good");
        bench.awaitPodsSettled();
        assertCost(1, hostile.size() + 1L);
    }

    private boolean isClaimOf(Pod pod) {
        return Optional.ofNullable(bench.claim("cache"))
                .filter(claim -> Metadata.isOwnedBy(claim, pod.getMetadata().getUid()))
                .isPresent();
    }

    /** Creates a pod that gets its claim, and waits until the provisioner has seen all pods. */
    private void awaitClaimOfAnotherPod() {
        bench.pod("other", "other", template("fast"));
        bench.awaitClaim("other");
        bench.awaitPodsSettled();
    }

    private void assertNothingDoneFor(String pod, String claim) {
        assertThat(bench.claim(claim)).isNull();
        assertThat(bench.reasons("Pod", pod)).isEmpty();
    }

    private List<PersistentVolumeClaim> claimsIn(String namespace) {
        return cluster.admin()
                .persistentVolumeClaims()
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private void setPhase(String phase) {
        bench.setPodPhase(bench.pod("web").require(), phase);
    }

    private void touch(String pod, int times) {
        for (int i = 0; i < times; i++) {
            annotate(pod, "touched", Integer.toString(i));
        }
    }

    private void annotate(String pod, String key, String value) {
        bench.editPod(pod, current -> current.getMetadata().getAnnotations().put(key, value));
    }
}
