package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootFolder;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that hangs holds up its own volumes and no others. */
@OnCluster
class HangingDiskIT {

    private static final int CLAIMS = 8;

    @TempDir
    private Path temporary;

    @Test
    void claimsOfAnotherRootAreServedByTheOnlyWorkerWhileADiskHangs(TestCluster cluster) throws Exception {
        Path slow = Files.createDirectory(temporary.resolve("slow"));
        Path quick = Files.createDirectory(temporary.resolve("quick"));
        CountDownLatch disk = new CountDownLatch(1);
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, quick)) {
            String hangs = bench.storageClass("hangs", Map.of("assetRoot", "/mnt/slow"));
            String works = bench.storageClass("works", Map.of());
            bench.provisioner(
                    user,
                    builder -> builder.workers(1)
                            .root(hangs, slow)
                            .folders(path -> path.equals(slow) ? new Hanging(path, disk) : new PosixRoot(path)));
            for (int i = 0; i < CLAIMS; i++) {
                bench.claim("slow-" + i, hangs);
            }
            bench.claim("quick", works);
            bench.awaitBound("quick");
            assertThat(DirectoryBench.names(slow)).containsExactly(".bucketwright");
            disk.countDown();
            for (int i = 0; i < CLAIMS; i++) {
                bench.awaitBound("slow-" + i);
            }
        } finally {
            disk.countDown();
        }
    }

    /** A root on which no directory can be made before the latch opens. */
    private record Hanging(RootFolder folder, CountDownLatch disk) implements RootFolder {

        Hanging(Path path, CountDownLatch disk) {
            this(new PosixRoot(path), disk);
        }

        @Override
        public Optional<RootIdentity> identity() throws IOException {
            return folder.identity();
        }

        @Override
        public void initialize(RootIdentity identity) throws IOException {
            folder.initialize(identity);
        }

        @Override
        public DirectoryTree tree(RootIdentity identity) {
            DirectoryTree tree = folder.tree(identity);
            return (DirectoryTree) Proxy.newProxyInstance(
                    HangingDiskIT.class.getClassLoader(),
                    new Class<?>[] {DirectoryTree.class},
                    (_, method, arguments) -> {
                        if (method.getName().equals("make")) {
                            disk.await();
                        }
                        try {
                            return method.invoke(tree, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
