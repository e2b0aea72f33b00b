package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.testing.StartedProcesses.SHORT_LEASE;
import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A disk that hangs delays its own volumes and no others. */
class HangingDiskIT extends DirectoryTestBase {

    private static final int CLAIMS = 8;

    @Test
    void theOnlyWorkerServesClaimsOfAnotherRootWhileADiskHangs() throws Exception {
        Path slow = Files.createDirectory(temporary.resolve("slow"));
        CountDownLatch disk = new CountDownLatch(1);
        try {
            String hangs = bench.storageClass("hangs", Map.of("assetRoot", "/mnt/slow"));
            String works = bench.storageClass("works", Map.of());
            ControllerProcess process = bench.provisioner(builder -> builder.workers(1)
                    .root(hangs, slow)
                    .rootDirectories(path -> new InterceptedRootDirectory(path, (method, call) -> {
                        if (path.equals(slow) && method.equals("create")) {
                            disk.await();
                        }
                        return call.get();
                    })));
            for (int i = 0; i < CLAIMS; i++) {
                bench.claim("slow-" + i, hangs);
            }
            bench.provision("quick", works);
            assertThat(DirectoryFixture.names(slow)).containsExactly(".bucketwright");
            bench.awaitEvent("slow-0", "ProvisioningFailed", "The disk of root " + slow + " does not answer");
            bench.awaitEvent("slow-" + (CLAIMS - 1), "ProvisioningFailed", "does not answer");
            assertThat(DirectoryFixture.get(process, "/readyz").body()).contains("does not answer");
            // A restart would not help, and the other root is served.
            assertThat(DirectoryFixture.get(process, "/livez").statusCode()).isEqualTo(200);
            bench.provision("quick-too", works);
            disk.countDown();
            for (int i = 0; i < CLAIMS; i++) {
                bench.awaitBound("slow-" + i);
            }
            await("readiness")
                    .until(() -> DirectoryFixture.get(process, "/readyz").statusCode() == 200);
        } finally {
            disk.countDown();
        }
    }

    /** The call that hangs is the one that moves the directory of a deleted claim away. */
    @Test
    void whatHungUnderTheFormerLeaderDoesNotTouchTheDirectoryOfTheNextClaim() throws Exception {
        CountDownLatch disk = new CountDownLatch(1);
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        String storageClass = bench.storageClass("new", Map.of());
        try {
            ControllerProcess former = bench.provisioner(
                    DirectoryFixture.account(cluster, "one"),
                    builder -> builder.lease(bench.namespace(), "directories", SHORT_LEASE)
                            .rootDirectories(path -> new InterceptedRootDirectory(path, (method, call) -> {
                                if (!method.equals("moveToTrash")) {
                                    return call.get();
                                }
                                hangs.countDown();
                                awaitUninterruptibly(disk);
                                try {
                                    return call.get();
                                } finally {
                                    returned.countDown();
                                }
                            })));
            bench.provision("photos", storageClass);
            bench.delete("photos");
            assertThat(hangs.await(1, TimeUnit.MINUTES)).isTrue();
            // It ends and releases its lease, although its disk hangs.
            former.close();
            bench.provisioner(
                    DirectoryFixture.account(cluster, "two"),
                    builder -> builder.lease(bench.namespace(), "directories", SHORT_LEASE));
            bench.awaitDeleted("photos");
            bench.provision("photos", storageClass);
            Files.writeString(bench.directory("photos").resolve("file"), "precious");
            disk.countDown();
            assertThat(returned.await(1, TimeUnit.MINUTES)).isTrue();
            bench.awaitSettled();
            assertThat(bench.directory("photos").resolve("file")).hasContent("precious");
            bench.assertInvariants();
        } finally {
            disk.countDown();
        }
    }

    /** As a system call does. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            LockSupport.parkNanos(10_000_000);
        }
    }
}
