package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With somebody else's definitions everything works that does not need fields of our own (ruling 21). */
@OnCluster
@Isolated("other definitions of the same kinds are installed")
class ForeignSchemaLifeIT {

    /** A bench with their definitions in the place of ours, until it is closed. */
    private record Theirs(Bench bench) implements AutoCloseable {
        static Theirs of(String whose, TestCluster cluster) {
            return new Theirs(new Bench(cluster, "", ForeignSchemas.of(whose)));
        }

        @Override
        public void close() {
            try {
                bench.close();
            } finally {
                bench.install(Crds.all());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void keysAreRotatedByAnnotation(String whose, TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Theirs theirs = Theirs.of(whose, cluster)) {
            Bench bench = theirs.bench();
            String storageClass = bench.storageClass("new", Map.of("rotationOverlap", "1s"));
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> old = bench.keys("mine");
            bench.admin().resource(bench.get("mine")).edit(claim -> {
                Map<String, String> annotations =
                        new HashMap<>(claim.getMetadata().getAnnotations());
                annotations.put(
                        "bucketwright.io/rotate-at",
                        Instant.now().minusSeconds(1).toString());
                claim.getMetadata().setAnnotations(annotations);
                return claim;
            });
            Bench.await("new keys").until(() -> !bench.keys("mine").equals(old));
            Bench.await("the old key to die").until(() -> store.keys() == 1);
            bench.awaitSettled();
            assertThat(bench.opens(store, "mine")).isTrue();
            assertThat(store.count("grant")).isEqualTo(1);
            assertThat(store.count("retire")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void whatSomebodyEditedOrDeletedIsRepairedAndWhatTheyAddedStays(String whose, TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Theirs theirs = Theirs.of(whose, cluster)) {
            Bench bench = theirs.bench();
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> keys = bench.keys("mine");

            bench.admin().resource(bench.configMap("mine")).edit(map -> {
                map.getData().put("BUCKET_HOST", "evil.test");
                map.getData().put("EXTRA", "theirs");
                return map;
            });
            Bench.await("the ConfigMap as it was")
                    .until(() -> "memory.test"
                            .equals(bench.configMap("mine").getData().get("BUCKET_HOST")));
            assertThat(bench.configMap("mine").getData()).containsEntry("EXTRA", "theirs");

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

            bench.admin().resource(bench.bucketOf("mine")).edit(bucket -> {
                bucket.setSpec(
                        bucket.getSpec().toBuilder().storageClassName("other").build());
                bucket.getMetadata().setAnnotations(Map.of("theirs", "yes"));
                return bucket;
            });
            Bench.await("the ObjectBucket as it was")
                    .until(() ->
                            storageClass.equals(bench.bucketOf("mine").getSpec().storageClassName()));
            bench.awaitSettled();
            assertThat(bench.bucketOf("mine").getMetadata().getAnnotations()).containsEntry("theirs", "yes");
            assertThat(bench.opens(store, "mine")).isTrue();
            assertThat(bench.get("mine").phase()).isEqualTo(Phase.BOUND);
            assertThat(store.count("provision")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void aRefusalIsAnEventWithTheReasonBecauseThereAreNoConditions(String whose, TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        store.existing("somebody-elses");
        try (Theirs theirs = Theirs.of(whose, cluster)) {
            Bench bench = theirs.bench();
            String storageClass = bench.storageClass("new", Map.of());
            String closed = bench.storageClass("closed", Map.of("allowedNamespaces", "nobody"));
            bench.admin()
                    .resource(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace(bench.namespace())
                            .withName("occupied")
                            .endMetadata()
                            .build())
                    .create();
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("outsider", closed);
            bench.newBucket("occupied", storageClass);
            bench.claim("thief", spec(storageClass).bucketName("somebody-elses"));
            bench.claim(
                    "typo", spec(storageClass).generateBucketName("photos").additionalConfig(Map.of("maxObjcts", "5")));
            Map<String, String> reasons = Map.of(
                    "outsider", "NamespaceNotAllowed",
                    "occupied", "SecretNotOwned",
                    "thief", "BucketTaken",
                    "typo", "Invalid");
            reasons.forEach((name, reason) -> {
                bench.awaitPhase(name, Phase.FAILED);
                Bench.await(name + " to be told " + reason)
                        .until(() -> !told(bench, name, reason).isEmpty());
            });
            bench.awaitSettled();
            assertThat(told(bench, "typo", "Invalid"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("maxObjcts");

            bench.admin().resource(bench.get("typo")).edit((ObjectBucketClaim claim) -> {
                claim.setSpec(claim.getSpec().toBuilder()
                        .additionalConfig(Map.of("maxObjects", "5"))
                        .build());
                return claim;
            });
            bench.awaitBound("typo");
            for (String name : reasons.keySet()) {
                bench.delete(name);
            }
            for (String name : reasons.keySet()) {
                Bench.await(name + " to be gone").until(() -> bench.get(name) == null);
            }
            assertThat(store.names()).containsExactly("somebody-elses");
            assertThat(bench.secret("occupied")).as("never ours").isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void aSharedBucketWaitsForItsGuestAndARetainedOneStays(String whose, TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Theirs theirs = Theirs.of(whose, cluster)) {
            Bench bench = theirs.bench();
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("owner", bench.storageClass("new", Map.of()));
            bench.newBucket("kept", bench.storageClass("retain", Map.of("reclaimPolicy", "Retain")));
            String bucket = bench.awaitBound("owner").getSpec().bucket().orElseThrow();
            String kept = bench.awaitBound("kept").getSpec().bucket().orElseThrow();
            store.fill(kept, 3);
            String shared = bench.storageClass("shared", Map.of("bucketName", bucket));
            bench.claim("guest", spec(shared));
            bench.claim("visitor", spec(shared));
            bench.awaitBound("guest");
            bench.awaitBound("visitor");
            assertThat(bench.keys("guest")).isNotEqualTo(bench.keys("owner")).isNotEqualTo(bench.keys("visitor"));
            bench.delete("visitor");
            bench.awaitGone("visitor");
            assertThat(bench.opens(store, "guest")).isTrue();

            bench.delete("owner");
            bench.delete("kept");
            bench.awaitGone("kept");
            Bench.await("the owner to be told")
                    .until(() -> !told(bench, "owner", "BucketShared").isEmpty());
            assertThat(bench.opens(store, "guest")).isTrue();
            bench.delete("guest");
            bench.awaitGone("guest");
            bench.awaitGone("owner");
            assertThat(store.names()).containsExactly(kept);
            assertThat(store.mark(kept)).startsWith("released:");
            assertThat(store.objects(kept)).isEqualTo(3);
            assertThat(store.principals()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void afterADeathAtAnyWriteOfBindingOrDeletionTheNextProcessFinishes(String whose, TestCluster cluster)
            throws Exception {
        try (Theirs _ = Theirs.of(whose, cluster)) {
            // A death before a write is a death after the one before it, as far as the schema can tell.
            CrashFlows deaths = new CrashFlows(cluster, Moment.AFTER_EFFECT, List.of());
            // Seven writes, one more at most on their schema, and one event.
            assertThat(deaths.ofBinding()).isBetween(7, 9);
            assertThat(deaths.ofDeletion()).isEqualTo(8);
        }
    }

    private static ObjectBucketClaimSpec.Builder spec(String storageClass) {
        return ObjectBucketClaimSpec.builder().storageClassName(storageClass);
    }

    /** What the events about that claim say for that reason. */
    private static List<String> told(Bench bench, String name, String reason) {
        return bench.admin().events().v1().events().inNamespace(bench.namespace()).list().getItems().stream()
                .filter(event -> name.equals(event.getRegarding().getName()) && reason.equals(event.getReason()))
                .map(event -> event.getNote())
                .toList();
    }
}
