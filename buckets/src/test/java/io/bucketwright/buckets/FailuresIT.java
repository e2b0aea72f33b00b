package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collections;
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
class FailuresIT extends BenchFixture {

    private static final int CLAIMS = 8;
    private static final int EDITS = 12;

    @Test
    void aProvisioningThatFailedAfterItTookEffectIsRetriedAndNothingIsDeleted() {
        store.after(failing("provision", 3));
        String storageClass = bench.start(Map.of());
        bench.bind("mine", storageClass);
        assertThat(store.calls()).as("lib#151").isEqualTo(Collections.nCopies(4, "provision"));
        assertThat(store.keys()).as("the lost ones are dead").isEqualTo(1);
        assertThat(bench.opens("mine")).isTrue();
    }

    @Test
    void anOptionThatTheStoreCouldNotSetIsReportedAndSetLater() {
        String storageClass = bench.start(Map.of());
        String bucket = bench.bind("mine", storageClass);
        store.before(failing("update", 5));
        bench.setOptions("mine", Map.of("maxObjects", "7"));
        assertThat(bench.awaitReason("mine", "OptionsNotApplied")).contains("ready", "not now");
        bench.awaitReason("mine", "Bound");
        assertThat(store.count("update")).isEqualTo(6);
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
        List<String> names =
                IntStream.range(0, CLAIMS).mapToObj(i -> "mine-" + i).toList();
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
        bench.start(
                cluster.user("buckets"), new DelayedStore(store, Duration.ofMillis(2500), call -> true), builder -> {});
        bench.bind("mine", storageClass);
        bench.remove("mine");
        assertThat(store.names()).isEmpty();
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
