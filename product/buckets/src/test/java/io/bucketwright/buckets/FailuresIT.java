package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What fails is tried again, and never put right by destroying. */
@OnCluster
class FailuresIT extends BucketTestBase {

    private static final Logger log = LoggerFactory.getLogger(FailuresIT.class);
    private static final int CLAIMS = 8;
    private static final int EDITS = 12;

    @Test
    void aProvisioningThatFailedAfterItTookEffectIsRetriedAndNothingIsDeleted() {
        store.after(failing("provision", 3));
        String storageClass = bench.start(Map.of());
        bench.bind("mine", storageClass);
        assertThat(store.calls()).as("lib#151").startsWith("provision", "provision", "provision", "provision");
        // A request that took effect late may have set something else, so access and options are applied once more.
        assertThat(store.calls().stream().skip(4)).isSubsetOf("find", "update");
        assertThat(store.keys()).as("the lost ones are dead").isEqualTo(1);
        assertThat(bench.opens("mine")).isTrue();
    }

    @Test
    void anOptionThatTheStoreCouldNotSetIsReportedAndSetLater() {
        String storageClass = bench.start(Map.of());
        String bucket = bench.bind("mine", storageClass);
        AtomicInteger failures = new AtomicInteger();
        AtomicBoolean fails = new AtomicBoolean(true);
        store.before(call -> {
            if (call.equals("update") && fails.get()) {
                failures.incrementAndGet();
                throw new Unavailable("The store fails: not now.");
            }
        });
        bench.setOptions("mine", Map.of("maxObjects", "7"));
        assertThat(bench.awaitReason("mine", "OptionsNotApplied")).contains("ready", "not now");
        // Only now, so that nobody can miss the report.
        Eventually.await("more attempts").until(() -> failures.get() >= 5);
        fails.set(false);
        bench.awaitReason("mine", "Bound");
        assertThat(store.count("update")).isEqualTo(failures.get() + 1);
        assertThat(store.quota(bucket)).isEqualTo(new BucketOption.Quota(BucketOption.Quota.UNLIMITED, 7));
    }

    @Test
    void aWriteThatTheApiServerRejectsIsReportedOnTheClaimAndTriedAgain() {
        ResourceQuota quota = bench.admin()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(bench.namespace())
                        .withName("no-secrets")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("count/secrets", new Quantity("0"))
                        .endSpec()
                        .build())
                .create();
        bench.newBucket("mine", bench.start(Map.of()));
        assertThat(bench.awaitReason("mine", "WriteRejected")).contains("secrets", "no-secrets");
        Eventually.await("the event")
                .until(() -> !cluster.events("mine", "WriteRejected").isEmpty());
        bench.admin().resource(quota).delete();
        bench.awaitBound("mine");
        assertThat(bench.opens("mine")).isTrue();
    }

    @Test
    void concurrentEditsOfAClaimCauseOnlyConflicts() {
        String storageClass = bench.start(Map.of());
        List<String> names = names("mine-", CLAIMS);
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String name : names) {
                bench.newBucket(name, storageClass);
                others.execute(() -> IntStream.range(0, EDITS).forEach(i -> annotate(name, i)));
            }
            names.forEach(bench::awaitBound);
        }
        assertThat(names)
                .allMatch(name ->
                        Metadata.annotation(bench.get(name), "theirs/count").equals(Integer.toString(EDITS - 1)));
        bench.awaitSettled();
        assertThat(store.count("delete")).as("lib#71").isZero();
        assertThat(store.count("revoke")).isZero();
        assertThat(store.names()).hasSize(CLAIMS);
        assertThat(store.keys()).isEqualTo(CLAIMS);
        assertThat(names).allMatch(bench::opens);
    }

    @Test
    void aSlowStoreDelaysBindingAndDeletion() {
        String storageClass = bench.storageClass("new", Map.of());
        HookedStore.Delay slow = new HookedStore.Delay(Duration.ofMillis(2500), call -> !call.equals("check"));
        bench.start(cluster.user("buckets"), new HookedStore(store, slow), builder -> {});
        bench.bind("mine", storageClass);
        bench.remove("mine");
        assertThat(store.names()).isEmpty();
    }

    /**
     * Claims that wait for two stores whose calls return only after the cost was measured. The whole test has
     * {@code -Dbucketwright.waiting.claims=2000}; {@code -Dbucketwright.waiting.delay=2000} lets each call return after two
     * seconds, so that claims are served meanwhile.
     */
    @Test
    @Timeout(1200)
    void claimsThatWaitForSlowStoresCostNothingAreServedInOrderAndDelayNoOthers() throws InterruptedException {
        int perStore = Integer.getInteger("bucketwright.waiting.claims", 60) / 2;
        boolean many = perStore > 100;
        int workers = many ? 16 : 8;
        int busy = workers + 2 * (workers * 3 / 8);
        Duration window = Duration.ofSeconds(many ? 20 : 4);
        int delay = Integer.getInteger("bucketwright.waiting.delay", 3_600_000);
        List<String> slow = List.of(slowClass("slow-a", delay), slowClass("slow-b", delay));
        String fast = bench.storageClass("fast", Map.of(SlowStoresProcess.NAME, "fast"));
        ApiUser user = cluster.user("buckets");
        try (SlowStoresProcess process =
                SlowStoresProcess.start(user.kubeconfig(), bench.namespace(), bench.provisioner(), workers)) {
            // A process that has served none before is busy with compiling.
            List<String> first = IntStream.range(0, many ? 150 : 3)
                    .mapToObj(i -> "warm-up-" + i)
                    .toList();
            first.forEach(name -> bench.newBucket(name, fast));
            first.forEach(bench::awaitBound);
            Duration idle = shortest("idle", fast);
            List<List<String>> uids = List.of(new ArrayList<>(), new ArrayList<>());
            for (int i = 0; i < 2 * perStore; i++) {
                uids.get(i % 2)
                        .add(bench.newBucket("slow-" + i, slow.get(i % 2))
                                .getMetadata()
                                .getUid());
            }
            bench.bind("after-them", fast);
            Waiting waiting = Waiting.measure(process, () -> cluster.requests(user), window);
            // What the process still does for the first claims, or for objects of other tests, ends or pauses.
            for (int i = 0; i < 5 && !waiting.costsNothing(); i++) {
                waiting = Waiting.measure(process, () -> cluster.requests(user), window);
            }
            Duration saturated = shortest("busy", fast);
            log.info(
                    "{} claims wait: {}; a claim of another store takes {}, alone {}",
                    2 * perStore,
                    waiting,
                    saturated,
                    idle);
            assertThat(waiting).matches(Waiting::costsNothing);
            assertThat(saturated).isLessThan(idle.multipliedBy(3).plusSeconds(1));

            Duration sinceStart = process.cpu();
            process.release();
            Eventually.await("all claims to be Bound")
                    .pollInterval(Duration.ofSeconds(1))
                    .atMost(Duration.ofMinutes(10))
                    .until(() -> bench.claims().stream().allMatch(claim -> claim.phase() == Phase.BOUND));
            log.info(
                    "CPU for each claim that is served: {}",
                    process.cpu().minus(sinceStart).dividedBy(2L * perStore));
            List<SlowStoresProcess.Call> all = List.copyOf(process.calls());
            for (List<String> created : uids) {
                assertThat(called("provision", created, all))
                        .hasSameSizeAs(created)
                        .containsAll(created);
                // Claims that are served at the same time overtake each other. A claim's turn is its first call: before
                // the next one it writes to the API server, which may take longer than for others.
                List<String> turns =
                        called("check", created, all).stream().distinct().toList();
                assertThat(displacement(created, turns)).isLessThanOrEqualTo(busy);
            }
            assertThat(mostBegun(all))
                    .as("claims that were begun and not finished")
                    .isLessThanOrEqualTo(2 * busy);
        }
    }

    private String slowClass(String name, int milliseconds) {
        return bench.storageClass(
                name, Map.of(SlowStoresProcess.NAME, name, SlowStoresProcess.DELAY, Integer.toString(milliseconds)));
    }

    /**
     * What a process does while claims wait.
     *
     * @param requests to the API server, without watches that ended
     * @param begun calls to stores
     */
    private record Waiting(Duration window, Duration cpu, RequestCounts requests, int begun) {

        static Waiting measure(SlowStoresProcess process, Supplier<RequestCounts> counts, Duration window)
                throws InterruptedException {
            RequestCounts before = counts.get();
            Duration cpu = process.cpu();
            int calls = process.calls().size();
            Thread.sleep(window);
            return new Waiting(
                    window,
                    process.cpu().minus(cpu),
                    counts.get().since(before),
                    process.calls().size() - calls);
        }

        /**
         * Whether the process uses less than a twentieth of a core for claims that wait. A claim that is served, with two
         * calls, costs up to 100 ms in a process that was started a minute ago, eight writes and an event.
         */
        boolean costsNothing() {
            return (cpu.toMillis() - begun * 50.0) / window.toMillis() < 0.05
                    && requests.all().size() - requests.watches() <= 9L * begun;
        }
    }

    /** How long a claim of the class takes to be Bound, the shortest of five. */
    private Duration shortest(String prefix, String storageClass) {
        return IntStream.range(0, 5)
                .mapToObj(i -> {
                    long start = System.nanoTime();
                    bench.bind(prefix + "-" + i, storageClass);
                    return Duration.ofNanos(System.nanoTime() - start);
                })
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** For which of the claims the stores were called, in that order. */
    private static List<String> called(String name, List<String> claims, List<SlowStoresProcess.Call> calls) {
        return calls.stream()
                .filter(call -> call.name().equals(name))
                .map(SlowStoresProcess.Call::uid)
                .filter(claims::contains)
                .toList();
    }

    private static int displacement(List<String> created, List<String> provisioned) {
        Map<String, Integer> places = new HashMap<>();
        created.forEach(uid -> places.put(uid, places.size()));
        return IntStream.range(0, provisioned.size())
                .map(i -> Math.abs(i - places.getOrDefault(provisioned.get(i), 0)))
                .max()
                .orElse(0);
    }

    private static int mostBegun(List<SlowStoresProcess.Call> calls) {
        Set<String> begun = new HashSet<>();
        int most = 0;
        for (SlowStoresProcess.Call call : calls) {
            if (call.name().equals("check")) {
                begun.add(call.uid());
            } else {
                begun.remove(call.uid());
            }
            most = Math.max(most, begun.size());
        }
        return most;
    }

    /** Edits the claim of that name, and repeats the edit after a conflict. */
    private void annotate(String name, int count) {
        boolean written = false;
        while (!written) {
            try {
                bench.annotate(bench.get(name), "theirs/count", Integer.toString(count));
                written = true;
            } catch (KubernetesClientException conflict) {
                assertThat(conflict.getCode()).isEqualTo(409);
            }
        }
    }

    private static Consumer<String> failing(String call, int times) {
        AtomicInteger left = new AtomicInteger(times);
        return name -> {
            if (name.equals(call) && left.getAndDecrement() > 0) {
                throw new Unavailable("The store fails: not now.");
            }
        };
    }
}
