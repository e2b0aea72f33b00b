package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnCluster
class BindAndDeleteIT extends BucketTestBase {

    @Test
    void aClaimIsBoundWithSevenWritesAndDeletedWithEightWithoutARead() {
        ApiUser user = cluster.user("buckets");
        String storageClass = bench.storageClass("new", Map.of());
        bench.start(user);
        RequestCounts before = cluster.requests(user);

        String bucket = bench.bind("mine", storageClass);

        assertThat(bucket).startsWith("photos-");
        assertThat(bench.get("mine").getMetadata().getFinalizers()).containsExactly("objectbucket.io/finalizer");
        assertThat(bench.keys("mine"))
                .containsKeys("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
        assertThat(bench.config("mine"))
                .containsEntry("BUCKET_HOST", "memory.test")
                .containsEntry("BUCKET_PORT", "9000")
                .containsEntry("BUCKET_NAME", bucket);
        assertThat(bench.bucketOf("mine").phase()).isEqualTo(Phase.BOUND);
        assertThat(bench.opens("mine")).isTrue();
        RequestCounts binding = cluster.requests(user).since(before);
        assertThat(binding.writes()).as("%s", binding).isEqualTo(7);
        assertThat(binding.reads()).as("%s", binding).isZero();
        assertThat(binding.events()).as("%s", binding).isLessThanOrEqualTo(1);

        RequestCounts settled = cluster.requests(user);
        bench.remove("mine");
        RequestCounts deletion = cluster.requests(user).since(settled);
        assertThat(deletion.writes()).as("%s", deletion).isEqualTo(8);
        assertThat(deletion.reads()).as("%s", deletion).isZero();
        assertThat(store.buckets).isEmpty();
        assertThat(store.principals()).isZero();
        assertThat(store.calls()).containsExactly("provision", "delete");
    }
}
