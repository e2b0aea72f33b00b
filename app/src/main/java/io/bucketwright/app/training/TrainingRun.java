package io.bucketwright.app.training;

import io.bucketwright.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * Starts all controllers in this process, waits until they have nothing more to ask, and exits. It needs no cluster.
 *
 * <p>The classes of the COSI sidecar and driver and of the S3 SDK are not part of it: the JVM loads all classes of the
 * cache at each start, and most processes need neither.
 */
public final class TrainingRun {

    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TrainingRun() {}

    /**
     * Runs the controllers once.
     *
     * @param arguments where to write the kubeconfig. Who starts this process removes the file: a process that is killed
     *     cannot
     */
    public static void main(String[] arguments) throws IOException {
        EmptyApiServer server = EmptyApiServer.start();
        Path kubeconfig = Files.createFile(
                Path.of(arguments[0]),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(kubeconfig, server.kubeconfig());
        Thread.ofPlatform().daemon().start(() -> {
            server.awaitQuiet(QUIET, LIMIT);
            // As SIGTERM does: the controllers stop, and the JVM writes the cache.
            System.exit(0);
        });
        int _ = Main.run("claim", "list", "--kubeconfig=" + kubeconfig);
        Main.main(new String[] {"controller", "--kubeconfig=" + kubeconfig, "--listen=127.0.0.1:0"});
    }
}
