package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster
@ResourceLock(value = "orphans of all provisioners", mode = ResourceAccessMode.READ)
class ClaimsIT {

    private static final int CLAIMS = 30;

    @Test
    void aRestartWithBoundClaimsCostsNoRequestForAnyOfThem(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            try (ControllerProcess _ = bench.provisioner(cluster.user("first"), store)) {
                IntStream.range(0, CLAIMS).forEach(i -> bench.newBucket("mine-" + i, storageClass));
                IntStream.range(0, CLAIMS).forEach(i -> bench.awaitBound("mine-" + i));
            }
            int calls = store.calls().size();
            ApiUser second = cluster.user("second");
            bench.provisioner(second, store);
            bench.awaitSettled();
            RequestCounts requests = cluster.requests(second);
            assertThat(requests.writes() + requests.reads() + requests.events())
                    .as("neco-apps#1192, rook restart: %s", requests)
                    .isZero();
            assertThat(store.calls()).hasSize(calls);
        }
    }

    @Test
    void aClaimOfAForeignClassCostsNoRequest(TestCluster cluster) {
        ApiUser user = cluster.user("buckets");
        try (Bench bench = new Bench(cluster)) {
            String foreign = bench.storageClass("foreign", Map.of(), "ceph.rook.io/bucket", "Delete");
            bench.provisioner(user, new MemoryStore());
            RequestCounts before = cluster.requests(user);
            bench.newBucket("theirs", foreign);
            bench.newBucket("nobodys", "there-is-no-such-class");
            bench.awaitSettled();
            RequestCounts after = cluster.requests(user).since(before);
            assertThat(after.all()).as("%s", after).isEmpty();
        }
    }

    @Test
    void aClassThatAppearsLaterWakesItsWaitingClaim(TestCluster cluster) {
        try (Bench bench = new Bench(cluster)) {
            bench.provisioner(cluster.user("buckets"), new MemoryStore());
            bench.newBucket("early", cluster.namespace() + "-late");
            bench.awaitSettled();
            bench.storageClass("late", Map.of());
            bench.awaitBound("early");
        }
    }

    @Test
    void aClaimWhoseClassIsGoneOrForeignNowIsDeletedByWhatWasWrittenThen(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("one", storageClass);
            bench.newBucket("two", storageClass);
            bench.awaitBound("one");
            bench.awaitBound("two");
            cluster.admin()
                    .storage()
                    .v1()
                    .storageClasses()
                    .withName(storageClass)
                    .delete();
            bench.delete("one");
            bench.awaitGone("one"); // rook#7351, rook#9204
            bench.storageClass("new", Map.of(), "somebody.else/bucket", "Retain");
            bench.delete("two");
            bench.awaitGone("two");
            assertThat(store.buckets).isEmpty();
            assertThat(store.count("delete")).isEqualTo(2);
        }
    }

    @Test
    void aForeignSecretIsRefusedAndLeftAlone(TestCluster cluster) {
        try (Bench bench = new Bench(cluster)) {
            Secret foreign = new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(bench.namespace())
                    .withName("mine")
                    .endMetadata()
                    .withStringData(Map.of("password", "precious"))
                    .build();
            cluster.admin().resource(foreign).create();
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), new MemoryStore());
            bench.newBucket("mine", storageClass);
            String message = bench.awaitReason("mine", "SecretNotOwned"); // rook#16602
            assertThat(message).contains(bench.namespace() + "/mine").contains("is not changed");
            assertThat(bench.get("mine").phase()).isEqualTo(Phase.FAILED);
            assertThat(bench.keys("mine")).isEqualTo(Map.of("password", "precious"));
            bench.delete("mine");
            Bench.await("claim gone").until(() -> bench.get("mine") == null);
            assertThat(bench.keys("mine")).isEqualTo(Map.of("password", "precious"));
        }
    }

    @Test
    void claimsWhoseObjectBucketsWouldHaveTheSameNameBothBind(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        String a = cluster.namespace();
        String b = a + "-b";
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(b)
                        .endMetadata()
                        .build())
                .create();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store, builder -> builder.namespace(""));
            bench.newBucket("b-c", storageClass);
            bench.awaitBound("b-c");
            ObjectBucketClaim other = new ObjectBucketClaim();
            other.setMetadata(
                    new ObjectMetaBuilder().withNamespace(b).withName("c").build());
            other.setSpec(ObjectBucketClaimSpec.builder()
                    .storageClassName(storageClass)
                    .generateBucketName("photos")
                    .build());
            cluster.admin().resource(other).create();
            Bench.await("the other to be bound")
                    .until(() -> cluster.admin().resource(other).get().phase() == Phase.BOUND);
            Set<String> names = bench.buckets().stream()
                    .map(bucket -> bucket.getMetadata().getName())
                    .collect(Collectors.toSet());
            assertThat(names).hasSize(2).contains("obc-" + a + "-b-c");
            cluster.admin().resource(other).delete();
            Bench.await("the other to be gone")
                    .until(() -> cluster.admin().resource(other).get() == null);
            assertThat(bench.get("b-c").phase()).isEqualTo(Phase.BOUND);
            assertThat(store.buckets).hasSize(1);
        } finally {
            cluster.admin().namespaces().withName(b).delete();
        }
    }

    @Test
    void claimsThatShareABucketHaveKeysOfTheirOwnAndOneEndsWithoutHurtingTheOther(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        store.existing("shared-data");
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("shared", Map.of("bucketName", "shared-data"));
            bench.provisioner(cluster.user("buckets"), store);
            ObjectBucketClaimSpec.Builder spec = ObjectBucketClaimSpec.builder().storageClassName(storageClass);
            bench.claim("one", spec);
            bench.claim("two", spec);
            bench.awaitBound("one");
            bench.awaitBound("two");
            assertThat(bench.get("one").getSpec().bucket()).isEmpty();
            assertThat(bench.keys("one")).isNotEqualTo(bench.keys("two"));
            bench.delete("one");
            bench.awaitGone("one");
            assertThat(bench.opens(store, "two")).isTrue();
            bench.delete("two");
            bench.awaitGone("two");
            assertThat(store.has("shared-data")).isTrue();
            assertThat(store.mark("shared-data")).isEmpty();
            assertThat(store.count("delete")).isZero();
        }
    }

    @Test
    void aNewBucketStaysWhileAnotherClaimSharesIt(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String fresh = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("owner", fresh);
            String bucket = bench.awaitBound("owner").getSpec().bucket().orElseThrow();
            String shared = bench.storageClass("shared", Map.of("bucketName", bucket));
            bench.claim("guest", ObjectBucketClaimSpec.builder().storageClassName(shared));
            bench.awaitBound("guest");
            bench.delete("owner");
            assertThat(bench.awaitReason("owner", "BucketShared"))
                    .contains("1 other")
                    .doesNotContain("guest");
            assertThat(bench.opens(store, "guest")).isTrue(); // rook#12389
            bench.delete("guest");
            bench.awaitGone("guest");
            bench.awaitGone("owner");
            assertThat(store.buckets).isEmpty();
        }
    }

    @Test
    void whatSomebodyEditedOrDeletedIsRepairedAndWhatTheyAddedStays(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> keys = bench.keys("mine");

            bench.admin().resource(bench.configMap("mine")).edit(map -> {
                map.getData().put("BUCKET_HOST", "evil.test");
                map.getData().put("EXTRA", "theirs");
                map.getMetadata().setLabels(Map.of("theirs", "yes"));
                return map;
            });
            Bench.await("the ConfigMap as it was")
                    .until(() -> "memory.test"
                                    .equals(bench.configMap("mine").getData().get("BUCKET_HOST"))
                            && bench.configMap("mine").getMetadata().getLabels().containsKey("bucket-provisioner"));
            assertThat(bench.configMap("mine").getData()).containsEntry("EXTRA", "theirs");
            assertThat(bench.configMap("mine").getMetadata().getLabels()).containsEntry("theirs", "yes");

            bench.admin().resource(bench.secret("mine")).edit(secret -> {
                secret.getMetadata().getLabels().remove("bucket-provisioner");
                return secret;
            });
            Bench.await("the label")
                    .until(() -> bench.secret("mine").getMetadata().getLabels() != null
                            && bench.secret("mine").getMetadata().getLabels().containsKey("bucket-provisioner"));
            assertThat(bench.keys("mine"))
                    .as("a stripped label is not a deletion")
                    .isEqualTo(keys);

            String uid = bench.secret("mine").getMetadata().getUid();
            bench.admin().resource(bench.secret("mine")).delete();
            Bench.await("a new Secret")
                    .until(() -> Optional.ofNullable(bench.secret("mine"))
                            .filter(secret -> !secret.getMetadata().getUid().equals(uid))
                            .isPresent());
            assertThat(bench.keys("mine")).as("saved from the old one").isEqualTo(keys);

            bench.admin().resource(bench.secret("mine")).edit(secret -> {
                secret.getData().put("AWS_SECRET_ACCESS_KEY", "d3Jvbmc=");
                return secret;
            });
            Bench.await("other keys").until(() -> bench.opens(store, "mine"));
            bench.awaitSettled();
            assertThat(bench.opens(store, "mine")).isTrue();
            assertThat(bench.keys("mine")).isNotEqualTo(keys);

            bench.admin().resource(bench.bucketOf("mine")).edit(bucket -> {
                bucket.setSpec(
                        bucket.getSpec().toBuilder().storageClassName("other").build());
                bucket.getMetadata().setAnnotations(Map.of("theirs", "yes"));
                return bucket;
            });
            Bench.await("the ObjectBucket as it was")
                    .until(() ->
                            storageClass.equals(bench.bucketOf("mine").getSpec().storageClassName()));
            assertThat(bench.bucketOf("mine").getMetadata().getAnnotations()).containsEntry("theirs", "yes");
            assertThat(store.count("provision")).isEqualTo(1);
        }
    }

    @Test
    void anObjectBucketThatIsGoneLeavesTheClaimReleasedAndIsNotMadeAgain(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            ObjectBucket bucket = bench.bucketOf("mine");
            bench.admin().resource(bucket).delete();
            assertThat(bench.awaitReason("mine", "ObjectBucketDeleting")).contains("until this claim is deleted");
            assertThat(bench.get("mine").phase()).isEqualTo(Phase.BOUND);
            bench.admin().resource(bench.bucketOf("mine")).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            bench.awaitPhase("mine", Phase.RELEASED);
            bench.awaitSettled();
            assertThat(bench.buckets()).isEmpty();
            bench.delete("mine");
            bench.awaitGone("mine");
            assertThat(store.count("provision")).isEqualTo(1);
        }
    }
}
