package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies at each of its writes and at each of its steps on the disk; the next one finishes. §2.2.3: a step that
 * failed once once ended in "already exists" for ever.
 */
@OnCluster
class CrashIT {

    private static final int SIDE_BY_SIDE = 4;

    @TempDir
    private Path temporary;

    /** One flow with one death in it. */
    private interface Life {
        /** Whether the process died. */
        boolean diesAt(int number) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyStepOnTheDiskTheNextProcessBinds(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = cluster.user("directories");
        int deaths = untilNothingFires(number -> {
            try (DirectoryBench bench = bench(cluster, number)) {
                String storageClass = bench.storageClass("c" + number, Map.of());
                MortalRoot mortal = new MortalRoot(bench.root(), number, moment);
                DirectoryProvisioner dying = bench.provisioner(user, builder -> builder.folders(_ -> mortal));
                bench.claim("mine-" + number, storageClass);
                DirectoryBench.await("death or bound").until(() -> mortal.died() || bench.isBound("mine-" + number));
                dying.close();
                assertBindsAndGoes(bench, user, "mine-" + number);
                return mortal.died();
            }
        });
        // Identity, marker, directory, owner.
        assertThat(deaths).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteTheNextProcessBinds(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = cluster.user("directories");
        int deaths = untilNothingFires(number -> {
            try (DirectoryBench bench = bench(cluster, number)) {
                String storageClass = bench.storageClass("c" + number, Map.of());
                CrashingClient mortality = CrashingClient.atWrite(number, moment);
                DirectoryProvisioner dying = bench.provisioner(user, builder -> builder.http(mortality::wrap));
                bench.claim("mine-" + number, storageClass);
                DirectoryBench.await("death or bound and told")
                        .until(() -> mortality.died()
                                || !bench.told("mine-" + number, "ProvisioningSucceeded")
                                        .isEmpty());
                dying.close();
                assertBindsAndGoes(bench, user, "mine-" + number);
                return mortality.died();
            }
        });
        // The volume and its event.
        assertThat(deaths).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyStepOfADeletionTheNextProcessFinishes(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = cluster.user("directories");
        int deaths = untilNothingFires(number -> {
            try (DirectoryBench bench = bench(cluster, number)) {
                MortalRoot mortal = new MortalRoot(bench.root(), number, moment);
                prepare(bench, user, number, Map.of());
                DirectoryProvisioner dying = bench.provisioner(user, builder -> builder.folders(_ -> mortal));
                bench.delete("mine-" + number);
                DirectoryBench.await("death or gone").until(() -> mortal.died() || isAllGone(bench));
                dying.close();
                bench.provisioner(user);
                bench.awaitGone("mine-" + number);
                DirectoryBench.await("nothing left").until(() -> isAllGone(bench));
                return mortal.died();
            }
        });
        // Marker says leaving, taken out of reach, emptied, marker removed.
        assertThat(deaths).isBetween(4, 6);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfADeletionTheNextProcessFinishes(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = cluster.user("directories");
        int deaths = untilNothingFires(number -> {
            try (DirectoryBench bench = bench(cluster, number)) {
                prepare(bench, user, number, Map.of());
                CrashingClient mortality = CrashingClient.atWrite(number, moment);
                DirectoryProvisioner dying = bench.provisioner(user, builder -> builder.http(mortality::wrap));
                bench.delete("mine-" + number);
                DirectoryBench.await("death or gone").until(() -> mortality.died() || isAllGone(bench));
                dying.close();
                bench.provisioner(user);
                bench.awaitGone("mine-" + number);
                DirectoryBench.await("nothing left").until(() -> isAllGone(bench));
                return mortality.died();
            }
        });
        assertThat(deaths).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyStepOfAnArchivingThereIsOneArchiveWithEverythingInIt(Moment moment, TestCluster cluster)
            throws Exception {
        ApiUser user = cluster.user("directories");
        int deaths = untilNothingFires(number -> {
            try (DirectoryBench bench = bench(cluster, number)) {
                MortalRoot mortal = new MortalRoot(bench.root(), number, moment);
                prepare(bench, user, number, Map.of("onDelete", "archive"));
                DirectoryProvisioner dying = bench.provisioner(user, builder -> builder.folders(_ -> mortal));
                bench.delete("mine-" + number);
                DirectoryBench.await("death or gone").until(() -> mortal.died() || isAllGone(bench));
                dying.close();
                bench.provisioner(user);
                bench.awaitGone("mine-" + number);
                DirectoryBench.await("nothing left").until(() -> isAllGone(bench));
                assertThat(bench.archive()).hasSize(2);
                assertThat(bench.root()
                                .resolve(".bucketwright/archive")
                                .resolve(bench.archive().getFirst())
                                .resolve("file"))
                        .hasContent("content");
                return mortal.died();
            }
        });
        assertThat(deaths).isBetween(3, 5);
    }

    /** external-provisioner#486: the process stops between making and saving, and the claim goes meanwhile. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void whenTheClaimGoesWhileNobodyRunsNothingOfItIsLeft(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = cluster.user("directories");
        int deaths = untilNothingFires(number -> {
            try (DirectoryBench bench = bench(cluster, number)) {
                String storageClass = bench.storageClass("c" + number, Map.of());
                MortalRoot mortal = new MortalRoot(bench.root(), number, moment);
                DirectoryProvisioner dying = bench.provisioner(user, builder -> builder.folders(_ -> mortal));
                bench.claim("mine-" + number, storageClass);
                DirectoryBench.await("death or bound").until(() -> mortal.died() || bench.isBound("mine-" + number));
                dying.close();
                bench.delete("mine-" + number);
                DirectoryBench.await("the claim to go")
                        .until(() -> bench.get("mine-" + number).isEmpty());
                bench.provisioner(user);
                bench.awaitGone("mine-" + number);
                DirectoryBench.await("nothing left").until(() -> isAllGone(bench));
                return mortal.died();
            }
        });
        assertThat(deaths).isEqualTo(4);
    }

    private DirectoryBench bench(TestCluster cluster, int number) throws Exception {
        return new DirectoryBench(cluster, Files.createDirectory(temporary.resolve("root-" + number)), "-" + number);
    }

    private static void prepare(DirectoryBench bench, ApiUser user, int number, Map<String, String> parameters)
            throws Exception {
        String storageClass = bench.storageClass("c" + number, parameters);
        bench.claim("mine-" + number, storageClass);
        try (DirectoryProvisioner _ = bench.provisioner(user)) {
            bench.awaitBound("mine-" + number);
        }
        Files.writeString(bench.directory("mine-" + number).resolve("file"), "content");
    }

    private static void assertBindsAndGoes(DirectoryBench bench, ApiUser user, String claim) {
        bench.provisioner(user);
        bench.awaitBound(claim);
        bench.awaitQuiet();
        bench.assertInvariants();
        bench.delete(claim);
        bench.awaitGone(claim);
        DirectoryBench.await("nothing left").until(() -> isAllGone(bench));
    }

    private static boolean isAllGone(DirectoryBench bench) {
        return bench.volumes().isEmpty()
                && bench.directories().isEmpty()
                && bench.markers().isEmpty()
                && bench.trash().isEmpty();
    }

    /** Runs lives that die at 1, 2, 3, …, several side by side, until one does not die; the number of deaths. */
    private static int untilNothingFires(Life life) throws InterruptedException, ExecutionException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            int deaths = 0;
            for (int first = 1; ; first += SIDE_BY_SIDE) {
                List<Future<Boolean>> batch = new ArrayList<>();
                for (int number = first; number < first + SIDE_BY_SIDE; number++) {
                    int fatal = number;
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
