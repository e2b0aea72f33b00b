package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Flows with a death at each of their writes, and what must hold after the next process took over. */
final class CrashFlows {

    private static final int SIDE_BY_SIDE = 4;

    private final TestCluster cluster;
    private final ApiUser user;
    private final Moment moment;
    private final List<CustomResourceDefinition> definitions;

    /** @param definitions what to install; if none, what is there is used */
    CrashFlows(TestCluster cluster, Moment moment, List<CustomResourceDefinition> definitions) {
        this.cluster = cluster;
        this.user =
                cluster.user("buckets-" + moment.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        this.moment = moment;
        this.definitions = definitions;
    }

    /** One flow with one death in it. */
    interface Life {
        /** Whether the process died. */
        boolean diesAt(int write);
    }

    /** The number of deaths while a claim is bound; afterwards it is, once, and goes without a trace. */
    int ofBinding() throws InterruptedException, ExecutionException {
        return untilNothingFires(write -> {
            MemoryStore store = new MemoryStore();
            String claim = "mine-" + name(write);
            try (Bench bench = new Bench(cluster, "-" + name(write), definitions)) {
                String storageClass = bench.storageClass(name(write), Map.of());
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                BucketProvisioner mortal = bench.provisioner(user, store, builder -> builder.http(mortality::wrap));
                bench.newBucket(claim, storageClass);
                Bench.await("death at write " + write + " or bound")
                        .until(() -> mortality.died() || bench.isBoundAndTold(claim));
                mortal.close();
                bench.provisioner(user, store);
                bench.awaitBound(claim);
                bench.awaitQuiet();
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
                return mortality.died();
            }
        });
    }

    /** The number of deaths while a claim is deleted; afterwards nothing is left. */
    int ofDeletion() throws InterruptedException, ExecutionException {
        return untilNothingFires(write -> {
            MemoryStore store = new MemoryStore();
            String claim = "mine-" + name(write);
            try (Bench bench = new Bench(cluster, "-" + name(write), definitions)) {
                String storageClass = bench.storageClass(name(write), Map.of());
                bench.newBucket(claim, storageClass);
                try (BucketProvisioner _ = bench.provisioner(user, store)) {
                    bench.awaitBound(claim);
                }
                CrashingClient mortality = CrashingClient.atWrite(write, moment);
                BucketProvisioner mortal = bench.provisioner(user, store, builder -> builder.http(mortality::wrap));
                bench.delete(claim);
                Bench.await("death at write " + write + " or gone")
                        .until(() -> mortality.died() || bench.get(claim) == null);
                mortal.close();
                bench.provisioner(user, store);
                bench.awaitGone(claim);
                assertThat(store.buckets).isEmpty();
                assertThat(store.principals()).isZero();
                return mortality.died();
            }
        });
    }

    private String name(int write) {
        return moment.name().substring(0, 1).toLowerCase(Locale.ROOT) + write;
    }

    /** Runs lives that die at write 1, 2, 3, …, several side by side, until one does not die; the number of deaths. */
    static int untilNothingFires(Life life) throws InterruptedException, ExecutionException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            int deaths = 0;
            for (int first = 1; ; first += SIDE_BY_SIDE) {
                List<Future<Boolean>> batch = new ArrayList<>();
                for (int write = first; write < first + SIDE_BY_SIDE; write++) {
                    int fatal = write;
                    batch.add(executor.submit(() -> life.diesAt(fatal)));
                }
                boolean allDied = true;
                for (Future<Boolean> one : batch) {
                    boolean died = one.get();
                    deaths += died ? 1 : 0;
                    allDied &= died;
                }
                if (!allDied) {
                    return deaths;
                }
            }
        }
    }
}
