package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.testing.StartedProcesses.SHORT_LEASE;
import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.RequestCounts;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Many claims at once, and more than one process. */
@Order(3)
class ScaleIT extends DirectoryTestBase {

    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void manyClaimsCostOneWriteEachAndARestartCostsNone() throws Exception {
        int many = Integer.getInteger("bucketwright.directory.claims", 200);
        String storageClass = bench.storageClass("new", Map.of());
        ControllerProcess first = bench.provisioner();
        long start = System.nanoTime();
        createAll(storageClass, many);
        await("all volumes").atMost(LONG).until(() -> bench.directories().size() == many);
        await("all claims to be Bound")
                .atMost(LONG)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> bound() == many);
        System.out.println(many + " claims bound after "
                + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        bench.assertInvariants();
        RequestCounts requests = cluster.requests(bench.user());
        assertThat(requests.writes()).as("%s", requests).isEqualTo(many);
        assertThat(requests.reads()).as("%s", requests).isZero();
        first.close();
        RequestCounts before = cluster.requests(bench.user());
        bench.provisioner();
        bench.awaitSettled();
        RequestCounts restart = cluster.requests(bench.user()).since(before);
        assertThat(restart.writes() + restart.events() + restart.reads())
                .as("%s", restart)
                .isZero();
        bench.admin().persistentVolumeClaims().inNamespace(bench.namespace()).delete();
        await("everything to be deleted")
                .atMost(LONG)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> bench.volumes().isEmpty()
                        && bench.markers().isEmpty()
                        && bench.directories().isEmpty());
        assertThat(bench.trash()).isEmpty();
        RequestCounts all = cluster.requests(bench.user()).since(before);
        assertThat(all.writes()).as("%s", all).isEqualTo(2L * many);
    }

    @Test
    void nothingIsLeftOfClaimsThatAreDeletedWhileTheyAreProvisioned() throws Exception {
        int many = 60;
        String storageClass = bench.start(Map.of());
        inParallel(many, i -> {
            bench.claim("mine-" + i, storageClass);
            Thread.sleep(i * 7L % 200);
            if (i % 3 != 0) {
                bench.delete("mine-" + i);
            }
            return true;
        });
        IntStream.range(0, many).filter(i -> i % 3 == 0).forEach(i -> bench.awaitBound("mine-" + i));
        await("settled").atMost(LONG).untilAsserted(() -> {
            assertThat(bench.volumes()).hasSize(many / 3);
            bench.assertInvariants();
        });
        bench.awaitSettled();
        bench.assertInvariants();
    }

    @Test
    void afterTheLeaderCrashesTheOtherProvisionsTheRestAndNothingTwice() throws Exception {
        int many = 30;
        CrashingClient crashing = CrashingClient.atWrite(many, Moment.AFTER_EFFECT);
        String storageClass = bench.storageClass("new", Map.of());
        bench.provisioner(
                DirectoryFixture.account(cluster, "one"),
                builder -> ClientOptions.http(builder, crashing::wrap)
                        .lease(bench.namespace(), "directories", SHORT_LEASE));
        bench.provisioner(
                DirectoryFixture.account(cluster, "two"),
                builder -> builder.lease(bench.namespace(), "directories", SHORT_LEASE));
        createAll(storageClass, many);
        await("all claims to be Bound").atMost(LONG).until(() -> bound() == many);
        assertThat(crashing.died()).isTrue();
        bench.awaitSettled();
        bench.assertInvariants();
        for (int i = 0; i < many; i++) {
            Files.writeString(bench.directory("mine-" + i).resolve("file"), "x");
            bench.delete("mine-" + i);
        }
        await("everything to be deleted")
                .atMost(LONG)
                .until(() -> bench.volumes().isEmpty() && bench.markers().isEmpty());
        assertThat(bench.directories()).isEmpty();
    }

    private long bound() {
        return bench.admin().persistentVolumeClaims().inNamespace(bench.namespace()).list().getItems().stream()
                .filter(claim -> "Bound".equals(claim.getStatus().getPhase()))
                .count();
    }

    private void createAll(String storageClass, int many) throws Exception {
        inParallel(many, i -> bench.claim("mine-" + i, storageClass));
    }

    private interface Numbered {
        Object run(int number) throws Exception;
    }

    private static void inParallel(int many, Numbered work) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(32)) {
            List<Callable<Object>> calls = IntStream.range(0, many)
                    .<Callable<Object>>mapToObj(number -> () -> work.run(number))
                    .toList();
            for (Future<Object> done : executor.invokeAll(calls)) {
                assertThat(done.get()).isNotNull();
            }
        }
    }
}
