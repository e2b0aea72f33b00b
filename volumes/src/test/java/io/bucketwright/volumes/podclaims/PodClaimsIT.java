package io.bucketwright.volumes.podclaims;

import static io.bucketwright.volumes.podclaims.VolumeBench.await;
import static io.bucketwright.volumes.podclaims.VolumeBench.podClaimsUser;
import static io.bucketwright.volumes.podclaims.VolumeBench.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Claims of pods on a real API server, with the real collector, as the service account of deploy/volumes-rbac.yaml. */
@OnCluster
@ResourceLock("pod claims of all namespaces")
class PodClaimsIT {

    @Test
    void aPendingPodGetsItsClaimForOneWriteAndOneEventAndNoRead(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(user);
            RequestCounts before = cluster.requests(user);
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
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(1);
            assertThat(cost.events()).as("%s", cost).isEqualTo(1);
            assertThat(cost.reads()).as("%s", cost).isZero();
            assertThat(cost.lists()).as("%s", cost).isZero();
            assertThat(cluster.requests(user)
                            .count(request ->
                                    request.code() == 403 && !request.verb().equals("get")))
                    .isZero();
        }
    }

    @Test
    void aRestartWithAllClaimsMadeCostsNothingPerPod(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.pod("one", "cache-one", template("fast"));
            bench.pod("two", "cache-two", template("fast"));
            try (ControllerProcess _ = bench.provisioner(user)) {
                bench.awaitEvent("Pod", "one", "PVCProvisioned");
                bench.awaitEvent("Pod", "two", "PVCProvisioned");
            }
            RequestCounts before = cluster.requests(user);
            bench.provisioner(user);
            bench.awaitPodsSettled();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes() + cost.events() + cost.reads())
                    .as("%s", cost)
                    .isZero();
            assertThat(cost.lists()).as("pods and claims, %s", cost).isEqualTo(2);
        }
    }

    @Test
    void labelsAnnotationsAndSpecOfTheTemplatePassThroughAndItsNameDoesNot(TestCluster cluster) {
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(podClaimsUser(cluster));
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
    }

    @Test
    void oneBadVolumeDoesNotHoldUpTheOthersAndIsToldOnce(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(user);
            RequestCounts before = cluster.requests(user);
            bench.create(bench.waiting(
                    "web",
                    Map.of("a", "claim-a", "b", "claim-b", "c", "claim-c"),
                    Map.of("a", template("fast"), "b", "kind: Nonsense", "c", template("fast"), "d", "x: y")));
            bench.awaitClaim("claim-a");
            bench.awaitClaim("claim-c");
            bench.awaitEvent("Pod", "web", "ErrInvalidPVC");
            bench.awaitEvent("Pod", "web", "ErrMissingVolume");
            touch(bench, "web", 5);
            bench.awaitPodsSettled();
            assertThat(bench.reasons("Pod", "web"))
                    .containsExactlyInAnyOrder("PVCProvisioned", "PVCProvisioned", "ErrInvalidPVC", "ErrMissingVolume");
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(2);
            assertThat(cost.events()).as("%s", cost).isEqualTo(4);
        }
    }

    /** Field §1.5: a namespace in the template was answered 400 and tried again for ever, with an event each time. */
    @Test
    void aTemplateOfAnotherNamespaceIsOneEventAndNoAttempt(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(user);
            RequestCounts before = cluster.requests(user);
            bench.pod("web", "cache", template("fast") + "metadata: {namespace: kube-system}\n");
            assertThat(bench.awaitEvent("Pod", "web", "ErrInvalidPVC")).contains("kube-system", bench.namespace());
            touch(bench, "web", 3);
            bench.awaitPodsSettled();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isZero();
            assertThat(cost.events()).as("%s", cost).isEqualTo(1);
            assertThat(cluster.admin()
                            .persistentVolumeClaims()
                            .inNamespace("kube-system")
                            .list()
                            .getItems())
                    .isEmpty();
        }
    }

    @Test
    void whatTheApiServerRefusesIsTriedOnceAndToldOnceUntilTheTemplateChanges(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(user);
            RequestCounts before = cluster.requests(user);
            bench.pod("web", "cache", template("Not A Class"));
            assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed")).contains("storageClassName");
            touch(bench, "web", 3);
            bench.awaitPodsSettled();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(1);
            assertThat(cost.events()).as("%s", cost).isEqualTo(1);
            annotate(
                    bench, "web", PodClaimAnnotations.PREFIX + "data" + PodClaimAnnotations.TEMPLATE, template("fast"));
            bench.awaitClaim("cache");
        }
    }

    @Test
    void whatIsForbiddenForNowIsToldOnceAndMadeWhenItIsAllowed(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            var limit = bench.create(new LimitRangeBuilder()
                    .withNewMetadata()
                    .withNamespace(bench.namespace())
                    .withName("big")
                    .endMetadata()
                    .withNewSpec()
                    .addNewLimit()
                    .withType("PersistentVolumeClaim")
                    .withMin(Map.of("storage", new Quantity("5Gi")))
                    .endLimit()
                    .endSpec()
                    .build());
            bench.provisioner(user);
            bench.pod("web", "cache", template("fast"));
            assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed")).contains("5Gi");
            await("several attempts").until(() -> cluster.requests(user).of("create", "persistentvolumeclaims") >= 3);
            assertThat(bench.reasons("Pod", "web")).containsExactly("ErrPVCProvisionFailed");
            cluster.admin().resource(limit).delete();
            bench.awaitClaim("cache");
        }
    }

    @Test
    void aClaimThatIsNotThisPodsIsNeverAdoptedAndItsEndWakesThePod(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            PersistentVolumeClaim foreign = bench.create(foreignClaim(bench, "cache"));
            bench.provisioner(user);
            RequestCounts before = cluster.requests(user);
            Pod pod = bench.pod("web", "cache", template("fast"));
            assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed"))
                    .contains("cache", "not owned by this pod");
            bench.awaitPodsSettled();
            PersistentVolumeClaim still = bench.awaitClaim("cache");
            assertThat(still.getMetadata().getUid())
                    .isEqualTo(foreign.getMetadata().getUid());
            assertThat(still.getMetadata().getOwnerReferences()).isEmpty();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes() + cost.reads()).as("%s", cost).isZero();
            cluster.admin().resource(foreign).delete();
            await("the pod's own claim")
                    .until(() -> bench.claim("cache") != null
                            && bench.awaitClaim("cache").getMetadata().getOwnerReferences().stream()
                                    .anyMatch(owner -> owner.getUid()
                                            .equals(pod.getMetadata().getUid())));
        }
    }

    /** Ruling 47. */
    @Test
    void aSuccessorOfTheSameNameGetsAClaimOfItsOwnOnceThePredecessorsIsCollected(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(user);
            bench.pod("web", "cache", template("fast"));
            String first = bench.awaitClaim("cache").getMetadata().getUid();
            // Keeps the first claim in sight for as long as the test wants.
            cluster.admin().resource(bench.awaitClaim("cache")).edit(it -> {
                it.getMetadata().setFinalizers(List.of("test.bucketwright.io/hold"));
                return it;
            });
            bench.deletePod("web");
            await("the first pod to go")
                    .until(() -> cluster.admin()
                                    .pods()
                                    .inNamespace(bench.namespace())
                                    .withName("web")
                                    .get()
                            == null);
            bench.pod("web", "cache", template("fast"));
            await("the collector")
                    .until(() -> bench.awaitClaim("cache").getMetadata().getDeletionTimestamp() != null);
            bench.awaitPodsSettled();
            assertThat(bench.awaitClaim("cache").getMetadata().getUid()).isEqualTo(first);
            cluster.admin().resource(bench.awaitClaim("cache")).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            await("the second claim")
                    .until(() -> bench.claim("cache") != null
                            && !bench.awaitClaim("cache").getMetadata().getUid().equals(first));
            bench.awaitPodsSettled();
            // Of both pods: nobody was told of a trouble that was none.
            assertThat(bench.reasons("Pod", "web")).containsOnly("PVCProvisioned");
        }
    }

    @Test
    void theCollectorTakesTheClaimWithItsPod(TestCluster cluster) {
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(podClaimsUser(cluster));
            bench.pod("web", "cache", template("fast"));
            bench.awaitClaim("cache");
            bench.deletePod("web");
            await("the claim to go").until(() -> bench.claim("cache") == null);
            bench.awaitPodsSettled();
            assertThat(bench.claim("cache")).isNull();
        }
    }

    /** Field §1.5: deletionTimestamp was not checked. */
    @Test
    void aPodThatIsBeingDeletedGetsNothing(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            Pod held = new PodBuilder(bench.waiting("web", Map.of("data", "cache"), Map.of("data", template("fast"))))
                    .editMetadata()
                    .withFinalizers("test.bucketwright.io/hold")
                    .endMetadata()
                    .build();
            bench.create(held);
            bench.deletePod("web");
            bench.provisioner(user);
            bench.pod("other", "other", template("fast"));
            bench.awaitClaim("other");
            bench.awaitPodsSettled();
            assertThat(bench.claim("cache")).isNull();
            assertThat(bench.reasons("Pod", "web")).isEmpty();
            cluster.admin()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName("web")
                    .edit(it -> {
                        it.getMetadata().setFinalizers(List.of());
                        return it;
                    });
        }
    }

    /** Field §1.5: all pods of the cluster were watched although only Pending ones matter. */
    @Test
    void aPodThatIsNotPendingIsNotSeen(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.create(bench.waiting("web", Map.of("data", "cache"), Map.of()));
            cluster.admin()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName("web")
                    .editStatus(it -> {
                        it.getStatus().setPhase("Running");
                        return it;
                    });
            bench.provisioner(user);
            annotate(
                    bench, "web", PodClaimAnnotations.PREFIX + "data" + PodClaimAnnotations.TEMPLATE, template("fast"));
            annotate(bench, "web", PodClaimAnnotations.PREFIX + "data" + PodClaimAnnotations.ENABLED, "true");
            bench.pod("other", "other", template("fast"));
            bench.awaitClaim("other");
            bench.awaitPodsSettled();
            assertThat(bench.claim("cache")).isNull();
            assertThat(bench.reasons("Pod", "web")).isEmpty();
            cluster.admin()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName("web")
                    .editStatus(it -> {
                        it.getStatus().setPhase("Pending");
                        return it;
                    });
            bench.awaitClaim("cache");
        }
    }

    @Test
    void onlyTheWantedNamespaceIsServed(TestCluster cluster) {
        String other = cluster.namespace() + "-other";
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(other)
                    .endMetadata()
                    .build());
            bench.provisioner(podClaimsUser(cluster));
            Pod elsewhere = bench.waiting("web", Map.of("data", "cache"), Map.of("data", template("fast")));
            elsewhere.getMetadata().setNamespace(other);
            bench.create(elsewhere);
            bench.pod("web", "cache", template("fast"));
            bench.awaitClaim("cache");
            bench.awaitPodsSettled();
            assertThat(cluster.admin()
                            .persistentVolumeClaims()
                            .inNamespace(other)
                            .list()
                            .getItems())
                    .isEmpty();
            bench.provisioner(cluster.user("everywhere"), builder -> builder.namespace(""));
            await("the claim elsewhere")
                    .until(() -> cluster.admin()
                                    .persistentVolumeClaims()
                                    .inNamespace(other)
                                    .withName("cache")
                                    .get()
                            != null);
        }
    }

    /** Field §1.5: an annotation's name has at most 63 characters, so the limit is the API server's. */
    @Test
    void aVolumeNameOf55CharactersWorksAndALongerOneIsRefusedWithThePod(TestCluster cluster) {
        String longest = "v".repeat(55);
        String tooLong = "v".repeat(56);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(podClaimsUser(cluster));
            bench.create(bench.waiting("web", Map.of(longest, "cache"), Map.of(longest, template("fast"))));
            bench.awaitClaim("cache");
            assertThatThrownBy(() ->
                            bench.create(bench.waiting("two", Map.of(tooLong, "c"), Map.of(tooLong, template("fast")))))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("63");
        }
    }

    /** Aliases that multiply, tags that name classes, endless nesting: each one event, and the next pod is served. */
    @Test
    void hostileTemplatesCostOneEventEachAndHurtNobody(TestCluster cluster) {
        ApiUser user = podClaimsUser(cluster);
        try (VolumeBench bench = new VolumeBench(cluster)) {
            bench.provisioner(user);
            RequestCounts before = cluster.requests(user);
            List<String> hostile = UntrustedYamlTest.malicious().toList();
            for (int i = 0; i < hostile.size(); i++) {
                bench.pod("bad-" + i, "bad-" + i, hostile.get(i));
            }
            for (int i = 0; i < hostile.size(); i++) {
                bench.awaitEvent("Pod", "bad-" + i, "ErrInvalidPVC");
            }
            bench.pod("good", "good", template("fast"));
            bench.awaitClaim("good");
            bench.awaitPodsSettled();
            RequestCounts cost = cluster.requests(user).since(before);
            assertThat(cost.writes()).as("%s", cost).isEqualTo(1);
            assertThat(cost.events()).as("%s", cost).isEqualTo(hostile.size() + 1L);
        }
    }

    private static PersistentVolumeClaim foreignClaim(VolumeBench bench, String name) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(bench.namespace())
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("fast")
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec()
                .build();
    }

    private static void touch(VolumeBench bench, String pod, int times) {
        for (int i = 0; i < times; i++) {
            annotate(bench, pod, "touched", Integer.toString(i));
        }
    }

    private static void annotate(VolumeBench bench, String pod, String key, String value) {
        bench.admin().pods().inNamespace(bench.namespace()).withName(pod).edit(it -> {
            it.getMetadata().getAnnotations().put(key, value);
            return it;
        });
    }
}
