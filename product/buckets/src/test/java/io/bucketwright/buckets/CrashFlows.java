package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

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

    /**
     * What a claim goes through. Each part gets the bench and the name of the claim.
     *
     * @param parameters of the class
     * @param isNew whether the claim is created by the flow; otherwise it is Bound before
     * @param change what the crashing process has to complete
     * @param isComplete whether it has completed it without a crash
     * @param verify what must hold with the next process
     */
    record Flow(
            Map<String, String> parameters,
            boolean isNew,
            BiConsumer<BucketFixture, String> change,
            BiPredicate<BucketFixture, String> isComplete,
            BiConsumer<BucketFixture, String> verify) {}

    /** Repeats a flow with a crash at each of its writes. Returns the number of crashes. */
    int run(Flow flow) throws InterruptedException {
        return CrashLoop.untilNothingFires(write -> {
            String name = moment.name().substring(0, 1).toLowerCase(Locale.ROOT) + write;
            String claim = "mine-" + name;
            try (BucketFixture bench = new BucketFixture(cluster, "-" + name, definitions)) {
                String storageClass = bench.storageClass(name, flow.parameters());
                if (!flow.isNew()) {
                    bench.bindAndStop(claim, storageClass);
                }
                CrashingClient crash = CrashingClient.atWrite(write, moment);
                ControllerProcess crashing = bench.start(user, builder -> ClientOptions.http(builder, crash::wrap));
                if (flow.isNew()) {
                    bench.newBucket(claim, storageClass);
                }
                flow.change().accept(bench, claim);
                Eventually.await("crash at write " + write + " or the end")
                        .until(() -> crash.died() || flow.isComplete().test(bench, claim));
                crashing.close();
                bench.start(user);
                flow.verify().accept(bench, claim);
                return crash.died();
            }
        });
    }

    /** Crashes while a claim is bound; afterwards it is Bound once, and its deletion leaves nothing. */
    int ofBinding() throws InterruptedException {
        return run(new Flow(Map.of(), true, (_, _) -> {}, BucketFixture::isBoundWithEvent, (bench, claim) -> {
            bench.awaitBound(claim);
            bench.awaitSettled();
            assertThat(bench.get(claim).phase()).isEqualTo(Phase.BOUND);
            assertThat(bench.opens(claim)).isTrue();
            assertThat(bench.buckets()).hasSize(1);
            assertThat(bench.store.buckets).hasSize(1);
            assertThat(bench.store.principals()).isEqualTo(1);
            // A key that was not published is deleted 30 s after the takeover.
            Eventually.await("one key").until(() -> bench.store.keys() == 1);
            assertThat(bench.opens(claim)).isTrue();
            bench.remove(claim);
            assertThat(bench.store.buckets).isEmpty();
            assertThat(bench.store.principals()).isZero();
        }));
    }

    /** Crashes while a claim is deleted; afterwards nothing is left. */
    int ofDeletion() throws InterruptedException {
        return run(new Flow(Map.of(), false, BucketFixture::delete, CrashFlows::isDeleted, (bench, claim) -> {
            bench.awaitDeleted(claim);
            assertThat(bench.store.buckets).isEmpty();
            assertThat(bench.store.principals()).isZero();
        }));
    }

    static boolean isDeleted(BucketFixture bench, String claim) {
        return bench.get(claim) == null;
    }
}
