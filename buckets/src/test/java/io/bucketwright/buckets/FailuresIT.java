package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What fails is tried again, and never put right by destroying. */
@OnCluster
class FailuresIT {

    private static final int CLAIMS = 8;
    private static final int EDITS = 12;

    @Test
    void aProvisioningThatFailedAfterItTookEffectIsTriedAgainAndNothingIsDeletedFirst(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        store.after(failing("provision", 3));
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            assertThat(store.calls()).as("lib#151").isEqualTo(Collections.nCopies(4, "provision"));
            assertThat(store.keys()).as("the lost ones are dead").isEqualTo(1);
            assertThat(bench.opens(store, "mine")).isTrue();
        }
    }

    @Test
    void anOptionThatTheStoreCouldNotSetIsToldAndSetLater(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            bench.newBucket("mine", storageClass);
            String bucket = bench.awaitBound("mine").getSpec().bucket().orElseThrow();
            store.before(failing("update", 5));
            bench.admin().resource(bench.get("mine")).edit((ObjectBucketClaim claim) -> {
                claim.setSpec(claim.getSpec().toBuilder()
                        .additionalConfig(Map.of("maxObjects", "7"))
                        .build());
                return claim;
            });
            assertThat(bench.awaitReason("mine", "OptionsNotApplied")).contains("ready", "not now");
            bench.awaitReason("mine", "Bound");
            assertThat(store.count("update")).isEqualTo(6);
            assertThat(store.options(bucket).find(BucketOption.Quota.class).orElseThrow())
                    .isEqualTo(new BucketOption.Quota(BucketOption.Quota.UNLIMITED, 7));
        }
    }

    @Test
    void whatOthersWriteOnAClaimWhileItIsBoundIsAConflictAndNothingMore(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster);
                ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store);
            List<String> names =
                    IntStream.range(0, CLAIMS).mapToObj(i -> "mine-" + i).toList();
            for (String name : names) {
                bench.claim(
                        name,
                        ObjectBucketClaimSpec.builder()
                                .storageClassName(storageClass)
                                .generateBucketName("photos"));
                others.execute(() -> IntStream.range(0, EDITS).forEach(i -> annotate(bench, name, i)));
            }
            names.forEach(bench::awaitBound);
            Bench.await("the last edits")
                    .until(() -> names.stream()
                            .allMatch(name -> (EDITS - 1 + "")
                                    .equals(bench.get(name)
                                            .getMetadata()
                                            .getAnnotations()
                                            .get("theirs/count"))));
            bench.awaitSettled();
            assertThat(store.count("delete")).as("lib#71").isZero();
            assertThat(store.count("revoke")).isZero();
            assertThat(store.names()).hasSize(CLAIMS);
            assertThat(store.keys()).isEqualTo(CLAIMS);
            assertThat(names).allMatch(name -> bench.opens(store, name));
        }
    }

    @Test
    void aStoreThatNeedsSecondsForARequestIsWaitedForByDeletionsToo(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), new SlowStore(store, Duration.ofMillis(2500)));
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            bench.delete("mine");
            bench.awaitGone("mine");
            assertThat(store.names()).isEmpty();
        }
    }

    /** Answers each call by one request that takes this long, or gives up when the call's time is over. */
    private record SlowStore(MemoryStore behind, Duration takes) implements BucketStore {

        @Override
        public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
            request(call);
            return behind.provision(call, request);
        }

        @Override
        public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
            request(call);
            return behind.grant(call, request);
        }

        @Override
        public Progress delete(StoreCall call, DeleteRequest request) {
            request(call);
            return behind.delete(call, request);
        }

        @Override
        public void revoke(StoreCall call, BucketName bucket, BucketOwner owner) {
            request(call);
            behind.revoke(call, bucket, owner);
        }

        private void request(StoreCall call) {
            Duration left = call.remaining();
            call.interruptible(() -> {
                try {
                    Thread.sleep(left.compareTo(takes) < 0 ? left : takes);
                } catch (InterruptedException e) {
                    throw new Unavailable("The call was cancelled.", e);
                }
                return true;
            });
            call.check();
        }
    }

    /** Whatever it takes to get an edit of one's own in between ours. */
    private static void annotate(Bench bench, String name, int count) {
        boolean written = false;
        while (!written) {
            try {
                bench.admin().resource(bench.get(name)).edit((ObjectBucketClaim claim) -> {
                    Map<String, String> old = claim.getMetadata().getAnnotations();
                    Map<String, String> annotations = old == null ? new HashMap<>() : new HashMap<>(old);
                    annotations.put("theirs/count", Integer.toString(count));
                    claim.getMetadata().setAnnotations(annotations);
                    return claim;
                });
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
                throw new Unavailable("The store says: not now.");
            }
        };
    }
}
