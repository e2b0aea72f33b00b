package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.Capability;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnCluster
class ClassesIT extends BucketTestBase {

    @Test
    void aClaimWithoutAClassGetsTheDefaultOneAndTwoDefaultsAreAnErrorOnTheClaim() {
        String first = bench.storageClass("first", Map.of());
        String second = bench.storageClass("second", Map.of());
        setDefault(first, "true");
        bench.start();
        bench.claim("mine", ObjectBucketClaimSpec.builder().generateBucketName("photos"));
        bench.awaitBound("mine");
        assertThat(bench.bucketOf("mine").getSpec().storageClassName()).isEqualTo(first);

        setDefault(second, "true");
        bench.claim("torn", ObjectBucketClaimSpec.builder().generateBucketName("photos"));
        assertThat(bench.awaitReason("torn", "MultipleDefaultClasses")).contains(first, second);
        setDefault(second, "false");
        bench.awaitBound("torn");
    }

    @Test
    void anAdministratorCanAllowTheDeletionOfABucketThatIsNotEmpty() {
        String bucket = bench.deleteWithObjects("full", 25);
        assertThat(bench.awaitReason("full", "BucketNotEmpty")).contains("bucketwright.io/on-not-empty=purge");
        bench.annotate(bench.bucketOf("full"), "bucketwright.io/on-not-empty", "purge");
        bench.awaitDeleted("full");
        assertThat(store.has(bucket)).isFalse();
    }

    @Test
    void labelsOfAClaimBecomeTagsOfItsBucketAlsoAfterChanges() {
        String storageClass = bench.start(Map.of("labelsAsTags", "true"));
        bench.claim(
                cluster.namespace(),
                "mine",
                BucketFixture.spec(storageClass).generateBucketName("photos"),
                Map.of("team", "red"));
        String bucket = bench.awaitBound("mine");
        assertThat(tags(bucket)).containsEntry("team", "red");
        cluster.edit(bench.get("mine"), claim -> claim.getMetadata().getLabels().put("team", "blue"));
        Eventually.await("the new tag").until(() -> "blue".equals(tags(bucket).get("team")));
    }

    @Test
    void aStoreWithoutRotationDeletesTheOldKeyAtOnceAndTheClaimStaysReady() {
        store.without(Capability.ROTATE);
        String storageClass = bench.start(Map.of("rotationOverlap", "1s"));
        bench.bind("mine", storageClass);
        bench.rotate("mine");
        bench.awaitSettled();
        assertThat(bench.isBoundWithEvent("mine")).isTrue();
        assertThat(store.keys()).isEqualTo(1);
        assertThat(bench.opens("mine")).isTrue();
        assertThat(store.count("retire")).isZero();
    }

    @Test
    void usageAndQuotaAreMetricsAndNeedNoRequestToTheApiServer() {
        ApiUser user = cluster.user("buckets");
        String storageClass = bench.storageClass("new", Map.of("maxObjects", "50"));
        ControllerProcess provisioner = bench.start(user, builder -> builder.usageInterval(Duration.ofMillis(200)));
        String bucket = bench.bind("mine", storageClass);
        Eventually.await("the event").until(() -> bench.isBoundWithEvent("mine"));
        RequestCounts before = cluster.requests(user);
        store.fill(bucket, 12);
        String labels = "{bucket=\"" + bucket + "\",claim=\"mine\",namespace=\"" + cluster.namespace() + "\"} ";
        Eventually.await("the usage")
                .until(() -> provisioner.metrics().contains("bucketwright_bucket_objects" + labels + "12"));
        assertThat(provisioner.metrics())
                .contains("bucketwright_bucket_size_bytes" + labels + "12000")
                .contains("bucketwright_bucket_quota_objects" + labels + "50")
                .doesNotContain("bucketwright_bucket_quota_size_bytes{");
        assertThat(cluster.requests(user).since(before).all()).isEmpty();
        store.fill(bucket, 0);
        bench.remove("mine");
        Eventually.await("the end of the metric")
                .until(() -> !provisioner.metrics().contains(bucket));
    }

    private Map<String, String> tags(String bucket) {
        return store.options(bucket)
                .find(BucketOption.Tags.class)
                .map(BucketOption.Tags::tags)
                .orElse(Map.of());
    }

    private void setDefault(String storageClass, String value) {
        StorageClass current = cluster.admin()
                .storage()
                .v1()
                .storageClasses()
                .withName(storageClass)
                .get();
        bench.annotate(current, "bucketwright.io/default-bucket-class", value);
    }
}
