package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody else's definitions were installed first. */
@OnCluster
@Isolated("other definitions of the same kinds are installed")
class ForeignSchemaIT {

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void onAnotherSchemaAClaimBindsRestartsAndGoesByItsIntent(String whose, TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            bench.install(ForeignSchemas.of(whose));
            try {
                String delete = bench.storageClass("delete", Map.of());
                String erase = bench.storageClass("erase", Map.of("reclaimPolicy", "Erase"));
                ApiUser user = cluster.user("buckets");
                try (ControllerProcess _ = bench.provisioner(user, store)) {
                    RequestCounts before = cluster.requests(user);
                    bench.newBucket("mine", delete);
                    bench.awaitBound("mine");
                    bench.awaitSettled();
                    RequestCounts binding = cluster.requests(user).since(before);
                    assertThat(binding.writes()).as("%s", binding).isLessThanOrEqualTo(8);
                    bench.newBucket("kept", erase);
                    bench.awaitBound("kept");
                    assertThat(bench.opens(store, "mine")).isTrue();
                }
                ApiUser second = cluster.user("second");
                bench.provisioner(second, store);
                bench.awaitSettled();
                RequestCounts restart = cluster.requests(second);
                assertThat(restart.writes() + restart.reads()).as("%s", restart).isZero();
                String kept = bench.get("kept").getSpec().bucket().orElseThrow();
                store.fill(kept, 25);
                bench.delete("mine");
                bench.delete("kept");
                bench.awaitGone("mine");
                bench.awaitGone("kept");
                assertThat(store.names()).containsExactly(kept);
                assertThat(store.objects(kept)).isZero();
            } finally {
                bench.install(Crds.all());
            }
        }
    }
}
