package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Flows with a crash at each of their writes, and what must hold after the next process has taken over. */
final class CrashFlows {

    private final TestCluster cluster;
    private final ApiUser user;
    private final Moment moment;
    private final List<CustomResourceDefinition> definitions;

    /** @param definitions to install; if empty, the installed ones are used */
    CrashFlows(TestCluster cluster, Moment moment, List<CustomResourceDefinition> definitions) {
        this.cluster = cluster;
        this.user =
                cluster.user("buckets-" + moment.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        this.moment = moment;
        this.definitions = definitions;
    }

    /** Crashes while a claim is bound; afterwards it is Bound once, and its deletion leaves nothing. Returns their number. */
    int ofBinding() throws InterruptedException {
        return CrashLoop.untilNothingFires(write -> {
            MemoryStore store = new MemoryStore();
            String claim = "mine-" + name(write);
            try (Bench bench = new Bench(cluster, "-" + name(write), definitions)) {
                String storageClass = bench.storageClass(name(write), Map.of());
                CrashingClient crash = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.provisioner(user, store, builder -> builder.http(crash::wrap));
                bench.newBucket(claim, storageClass);
                Bench.await("crash at write " + write + " or bound")
                        .until(() -> crash.died() || bench.isBoundAndTold(claim));
                mortal.close();
                bench.provisioner(user, store);
                bench.awaitBound(claim);
                bench.awaitSettled();
                assertThat(bench.get(claim).phase().text()).isEqualTo("Bound");
                assertThat(bench.opens(store, claim)).isTrue();
                assertThat(bench.buckets()).hasSize(1);
                assertThat(store.buckets).hasSize(1);
                assertThat(store.principals()).isEqualTo(1);
                assertThat(store.keys()).isEqualTo(1);
                bench.delete(claim);
                bench.awaitGone(claim);
                assertThat(store.buckets).isEmpty();
                assertThat(store.principals()).isZero();
                return crash.died();
            }
        });
    }

    /** Crashes while a claim is deleted; afterwards nothing is left. Returns their number. */
    int ofDeletion() throws InterruptedException {
        return CrashLoop.untilNothingFires(write -> {
            MemoryStore store = new MemoryStore();
            String claim = "mine-" + name(write);
            try (Bench bench = new Bench(cluster, "-" + name(write), definitions)) {
                String storageClass = bench.storageClass(name(write), Map.of());
                bench.newBucket(claim, storageClass);
                try (ControllerProcess _ = bench.provisioner(user, store)) {
                    bench.awaitBound(claim);
                }
                CrashingClient crash = CrashingClient.atWrite(write, moment);
                ControllerProcess mortal = bench.provisioner(user, store, builder -> builder.http(crash::wrap));
                bench.delete(claim);
                Bench.await("crash at write " + write + " or gone")
                        .until(() -> crash.died() || bench.get(claim) == null);
                mortal.close();
                bench.provisioner(user, store);
                bench.awaitGone(claim);
                assertThat(store.buckets).isEmpty();
                assertThat(store.principals()).isZero();
                return crash.died();
            }
        });
    }

    private String name(int write) {
        return moment.name().substring(0, 1).toLowerCase(Locale.ROOT) + write;
    }
}
