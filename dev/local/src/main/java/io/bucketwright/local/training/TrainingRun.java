package io.bucketwright.local.training;

import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs a controller against an {@link EmptyApiServer} until it has nothing more to ask, and terminates it. The JVM of the
 * controller is another process, so that the cache that it writes contains neither the classes nor the class path of
 * this one.
 */
public final class TrainingRun {

    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** The exit code of a JVM that received SIGTERM. */
    private static final int TERMINATED = 143;

    /** Prints the process id that the command will have. */
    private static final List<String> ANNOUNCED = List.of("sh", "-c", "echo $$; exec \"$@\"", "training");

    private TrainingRun() {}

    /**
     * Runs the controller once.
     *
     * @param arguments where to write the kubeconfig, and the command of the controller. Who starts this process removes
     *     the file: a process that is killed cannot
     */
    public static void main(String[] arguments) {
        int status = 1;
        try {
            status = run(Path.of(arguments[0]), List.of(arguments).subList(1, arguments.length));
        } catch (IOException | LocalClusterException e) {
            System.err.println("bucketwright: The training run failed: " + e);
        }
        // The threads of the server would keep this process alive.
        System.exit(status);
    }

    private static int run(Path file, List<String> controller) throws IOException {
        EmptyApiServer server = EmptyApiServer.start();
        Path kubeconfig = Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        // Never creates it again: who started the training may have removed it.
        Files.writeString(kubeconfig, server.kubeconfig(), StandardOpenOption.WRITE);
        List<String> command = new ArrayList<>(ANNOUNCED);
        command.addAll(controller);
        List<String> output = new ArrayList<>();
        int code = new ChildProcess(Path.of("").toAbsolutePath(), Map.of()).run(command, line -> {
            if (output.isEmpty()) {
                terminateWhenQuiet(server, Long.parseLong(line));
            } else {
                System.err.println(line);
            }
            output.add(line);
        });
        return code == TERMINATED ? 0 : code;
    }

    /** The controller stops as in a pod, and its JVM writes the cache. */
    private static void terminateWhenQuiet(EmptyApiServer server, long controller) {
        Thread.ofPlatform().daemon().start(() -> {
            server.awaitQuiet(SILENCE, LIMIT);
            ProcessHandle.of(controller).ifPresent(ProcessHandle::destroy);
        });
    }
}
