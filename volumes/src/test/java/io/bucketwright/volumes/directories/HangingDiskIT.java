package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A disk that hangs delays its own volumes and no others. */
class HangingDiskIT extends DirectoryFixture {

    private static final int CLAIMS = 8;

    @Test
    void theOnlyWorkerServesClaimsOfAnotherRootWhileADiskHangs() throws Exception {
        Path slow = Files.createDirectory(temporary.resolve("slow"));
        CountDownLatch disk = new CountDownLatch(1);
        try {
            String hangs = bench.storageClass("hangs", Map.of("assetRoot", "/mnt/slow"));
            String works = bench.storageClass("works", Map.of());
            bench.provisioner(builder -> builder.workers(1)
                    .root(hangs, slow)
                    .rootDirectories(path -> InterceptedRootDirectory.of(path, (method, call) -> {
                        if (path.equals(slow) && method.equals("create")) {
                            disk.await();
                        }
                        return call.proceed();
                    })));
            for (int i = 0; i < CLAIMS; i++) {
                bench.claim("slow-" + i, hangs);
            }
            bench.provision("quick", works);
            assertThat(DirectoryBench.names(slow)).containsExactly(".bucketwright");
            disk.countDown();
            for (int i = 0; i < CLAIMS; i++) {
                bench.awaitBound("slow-" + i);
            }
        } finally {
            disk.countDown();
        }
    }
}
