package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Edits and deletions of objects that the controller owns, by somebody else. */
public final class ForeignEdits {

    private static final String LABEL = "bucket-provisioner";

    private ForeignEdits() {}

    /** Changes the endpoint of an ObjectBucket to another host. */
    public static void redirect(ObjectBucket bucket) {
        BucketEndpoint endpoint = bucket.getSpec().reachableAt().orElseThrow();
        Map<String, String> config = new HashMap<>(endpoint.config());
        config.put("BUCKET_HOST", "evil.test");
        editSpec(bucket, "endpoint", Map.of("bucketHost", "evil.test", "additionalConfig", config));
    }

    /** Changes fields of an object in the spec. */
    public static void editSpec(ObjectBucket bucket, String object, Map<String, ?> fields) {
        ObjectNode spec = new ObjectMapper().valueToTree(bucket.getSpec());
        ObjectNode edited = spec.withObject("/" + object);
        fields.forEach(edited::putPOJO);
        bucket.setSpec(bucket.getSpec().with(object, edited));
    }

    /** Edits and deletes the objects of the bound claim "mine", and checks that each is repaired. */
    static void areRepaired(TestCluster cluster, BucketFixture bench, String storageClass) {
        Map<String, String> keys = bench.keys("mine");

        cluster.edit(bench.configMap("mine"), map -> {
            map.getData().put("BUCKET_HOST", "evil.test");
            map.getData().put("EXTRA", "theirs");
            map.getMetadata().setLabels(Map.of("theirs", "yes"));
        });
        Eventually.await("the ConfigMap as it was")
                .until(() -> "memory.test".equals(bench.config("mine").get("BUCKET_HOST"))
                        && Metadata.labels(bench.configMap("mine")).containsKey(LABEL));
        assertThat(bench.config("mine")).containsEntry("EXTRA", "theirs");
        assertThat(Metadata.label(bench.configMap("mine"), "theirs")).isEqualTo("yes");

        cluster.edit(
                bench.secret("mine"), secret -> secret.getMetadata().getLabels().remove(LABEL));
        Eventually.await("the label")
                .until(() -> Metadata.labels(bench.secret("mine")).containsKey(LABEL));
        assertThat(bench.keys("mine")).as("a removed label is not a deletion").isEqualTo(keys);

        String uid = bench.secret("mine").getMetadata().getUid();
        bench.admin().resource(bench.secret("mine")).delete();
        Eventually.await("a new Secret")
                .until(() -> Optional.ofNullable(bench.secret("mine"))
                        .map(secret -> secret.getMetadata().getUid())
                        .filter(now -> !now.equals(uid))
                        .isPresent());
        assertThat(bench.keys("mine")).as("saved from the old one").isEqualTo(keys);

        cluster.edit(bench.secret("mine"), secret -> secret.getData().put("AWS_SECRET_ACCESS_KEY", "d3Jvbmc="));
        Eventually.await("other keys").until(() -> bench.opens("mine"));
        bench.awaitSettled();
        assertThat(bench.opens("mine")).isTrue();
        assertThat(bench.keys("mine")).isNotEqualTo(keys);

        cluster.edit(bench.bucketOf("mine"), bucket -> {
            bucket.setSpec(bucket.getSpec().with("storageClassName", "other"));
            bucket.getMetadata().setAnnotations(Map.of("theirs", "yes"));
        });
        Eventually.await("the ObjectBucket as it was")
                .until(() ->
                        storageClass.equals(bench.bucketOf("mine").getSpec().storageClassName()));
        assertThat(Metadata.annotation(bench.bucketOf("mine"), "theirs")).isEqualTo("yes");
    }
}
