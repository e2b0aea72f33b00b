package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What changes after a claim is bound, by those who may and those who should not. */
@OnCluster
class ChangesIT extends BucketTestBase {

    @Test
    void renamedKeysAppearAndTheFormerOnesAreRemoved() {
        // New names come with new keys; with an overlap, the second change would wait for its end.
        String storageClass = bench.start(Map.of("rotationOverlap", "0s"));
        bench.bind("mine", storageClass);
        cluster.edit(bench.secret("mine"), secret -> secret.getData().put("THEIRS", "eWVz"));
        bench.setOptions("mine", Map.of("renameKeys", "AWS_ACCESS_KEY_ID=USER,BUCKET_HOST=HOST"));
        Eventually.await("the new names")
                .until(() -> bench.keys("mine").containsKey("USER")
                        && bench.config("mine").containsKey("HOST"));
        bench.awaitSettled();
        assertThat(bench.keys("mine"))
                .containsKey("USER")
                .containsEntry("THEIRS", "yes")
                .doesNotContainKey("AWS_ACCESS_KEY_ID");
        assertThat(bench.config("mine")).containsKey("HOST").doesNotContainKey("BUCKET_HOST");
        assertThat(store.opens(
                        bench.keys("mine").getOrDefault("USER", ""),
                        bench.keys("mine").getOrDefault("AWS_SECRET_ACCESS_KEY", ""),
                        bench.bucketName("mine")))
                .isTrue();
        bench.setOptions("mine", Map.of());
        Eventually.await("the old names")
                .until(() -> bench.keys("mine").containsKey("AWS_ACCESS_KEY_ID")
                        && bench.config("mine").containsKey("BUCKET_HOST"));
        bench.awaitSettled();
        assertThat(bench.keys("mine")).doesNotContainKey("USER");
    }

    @Test
    void anEditedEndpointIsCorrectedAndNeverReachesTheApplication() {
        String storageClass = bench.start(Map.of());
        bench.bind("mine", storageClass);
        Map<String, String> config = bench.config("mine");
        cluster.edit(bench.bucketOf("mine"), ForeignEdits::redirect);
        Eventually.await("the endpoint as it was")
                .until(() -> "memory.test"
                        .equals(bench.bucketOf("mine")
                                .getSpec()
                                .reachableAt()
                                .orElseThrow()
                                .bucketHost()));
        bench.awaitSettled();
        assertThat(bench.config("mine")).isEqualTo(config);
        assertThat(bench.opens("mine")).isTrue();
        assertThat(store.count("provision")).isEqualTo(1);
    }

    @Test
    void aMissingClassIsReportedWithAnEventAndTheStatusIsNotChanged() {
        bench.start();
        ObjectBucketClaim created = bench.newBucket("mine", cluster.namespace() + "-late");
        Eventually.await("the event")
                .until(() -> cluster.events("mine", "ClassNotFound").stream()
                        .anyMatch(message -> message.contains(cluster.namespace() + "-late")));
        assertThat(bench.get("mine").getMetadata().getResourceVersion())
                .as("rook#5675: reported, and nothing is written to a claim that may belong to another provisioner")
                .isEqualTo(created.getMetadata().getResourceVersion());
        bench.storageClass("late", Map.of());
        bench.awaitBound("mine");
    }
}
