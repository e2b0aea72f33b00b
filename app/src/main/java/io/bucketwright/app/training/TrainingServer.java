package io.bucketwright.app.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * Runs an {@link EmptyApiServer} until its standard input ends. It is a process of its own, so that the cache contains
 * neither its classes nor its class path.
 */
public final class TrainingServer {

    /** The kubeconfig is written. */
    static final String READY = "ready";

    /** The client has nothing more to ask. */
    static final String QUIET = "quiet";

    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TrainingServer() {}

    /**
     * Serves, and prints {@link #READY} and {@link #QUIET}.
     *
     * @param arguments where to write the kubeconfig
     */
    public static void main(String[] arguments) {
        int status = 1;
        try {
            serve(Path.of(arguments[0]));
            status = 0;
        } catch (NoSuchFileException e) {
            // The script that started the training was interrupted, and has removed the kubeconfig.
        } catch (IOException | RuntimeException e) {
            System.err.println("bucketwright: The server of the training run failed: " + e);
        }
        // The threads of the server would keep this process alive.
        System.exit(status);
    }

    /** Returns when the process that started this one has ended. */
    private static void serve(Path file) throws IOException {
        EmptyApiServer server = EmptyApiServer.start();
        Path kubeconfig = Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        // Never creates it again: who started the training may have removed it.
        Files.writeString(kubeconfig, server.kubeconfig(), StandardOpenOption.WRITE);
        System.out.println(READY);
        Thread.ofPlatform().daemon().start(() -> {
            server.awaitQuiet(SILENCE, LIMIT);
            System.out.println(QUIET);
        });
        while (System.in.read() >= 0) {
            // Nobody writes.
        }
    }
}
