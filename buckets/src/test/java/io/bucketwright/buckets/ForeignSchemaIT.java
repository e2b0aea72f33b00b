package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster in which the definitions of another project were installed first. */
@OnCluster
@Isolated("other definitions of the same kinds are installed")
class ForeignSchemaIT {

    @ParameterizedTest
    @ValueSource(strings = {"rook", "noobaa"})
    void onAnotherSchemaAClaimIsBoundAndDeletedByItsIntent(String owner, TestCluster cluster) {
        try (ForeignSchemas.Installed installed = ForeignSchemas.install(owner, cluster)) {
            Bench bench = installed.bench();
            MemoryStore store = bench.store;
            String delete = bench.storageClass("delete", Map.of());
            String erase = bench.storageClass("erase", Map.of("reclaimPolicy", "Erase"));
            ApiUser user = cluster.user("buckets");
            String kept;
            try (ControllerProcess _ = bench.start(user)) {
                RequestCounts before = cluster.requests(user);
                bench.bind("mine", delete);
                bench.awaitSettled();
                RequestCounts binding = cluster.requests(user).since(before);
                assertThat(binding.writes()).as("%s", binding).isLessThanOrEqualTo(8);
                kept = bench.bind("kept", erase);
                assertThat(bench.opens("mine")).isTrue();
            }
            ApiUser second = cluster.user("second");
            bench.start(second);
            bench.awaitSettled();
            RequestCounts restart = cluster.requests(second);
            assertThat(restart.writes() + restart.reads()).as("%s", restart).isZero();
            store.fill(kept, 25);
            bench.remove("mine", "kept");
            assertThat(store.names()).containsExactly(kept);
            assertThat(store.objects(kept)).isZero();
        }
    }
}
