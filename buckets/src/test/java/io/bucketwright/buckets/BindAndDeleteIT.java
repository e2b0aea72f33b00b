package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnCluster
class BindAndDeleteIT {

    @Test
    void aClaimBindsInSevenWritesAndGoesInEightWithoutARead(TestCluster cluster) {
        ApiUser user = cluster.user("buckets");
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(user, store);
            RequestCounts before = cluster.requests(user);

            bench.newBucket("mine", storageClass);
            ObjectBucketClaim bound = bench.awaitBound("mine");

            assertThat(bound.getSpec().bucket().orElseThrow()).startsWith("photos-");
            assertThat(bound.getMetadata().getFinalizers()).containsExactly("objectbucket.io/finalizer");
            assertThat(bench.keys("mine"))
                    .containsKeys("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
            assertThat(bench.configMap("mine").getData())
                    .containsEntry("BUCKET_HOST", "memory.test")
                    .containsEntry("BUCKET_PORT", "9000")
                    .containsEntry("BUCKET_NAME", bound.getSpec().bucket().orElseThrow());
            assertThat(bench.bucketOf("mine").phase()).isEqualTo(Phase.BOUND);
            assertThat(bench.opens(store, "mine")).isTrue();
            RequestCounts binding = cluster.requests(user).since(before);
            assertThat(binding.writes()).as("%s", binding).isEqualTo(7);
            assertThat(binding.reads()).as("%s", binding).isZero();
            assertThat(binding.events()).as("%s", binding).isLessThanOrEqualTo(1);

            RequestCounts settled = cluster.requests(user);
            bench.delete("mine");
            bench.awaitGone("mine");
            RequestCounts leaving = cluster.requests(user).since(settled);
            assertThat(leaving.writes()).as("%s", leaving).isEqualTo(8);
            assertThat(leaving.reads()).as("%s", leaving).isZero();
            assertThat(store.buckets).isEmpty();
            assertThat(store.principals()).isZero();
            assertThat(store.calls()).containsExactly("provision", "delete");
        }
    }
}
