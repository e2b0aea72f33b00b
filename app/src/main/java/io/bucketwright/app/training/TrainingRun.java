package io.bucketwright.app.training;

import io.bucketwright.app.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Starts a controller in this process, waits until it has nothing more to ask, and exits. It needs no cluster.
 *
 * <p>Not all controllers: the JVM loads all classes of the cache at each start, and most processes have one role.
 */
public final class TrainingRun {

    private TrainingRun() {}

    /**
     * Runs the controller once.
     *
     * @param arguments where to write the kubeconfig, and the directory of the jars that only the server needs. Who
     *     starts this process removes the file: a process that is killed cannot
     */
    public static void main(String[] arguments) throws IOException {
        String kubeconfig = arguments[0];
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path") + ":" + arguments[1] + "/*",
                        TrainingServer.class.getName(),
                        kubeconfig)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        // Its standard input ends with this process, and with it the server.
        BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
        await(output, TrainingServer.READY);
        Thread.ofPlatform().daemon().start(() -> {
            await(output, TrainingServer.QUIET);
            // As SIGTERM does: the controller stops, and the JVM writes the cache.
            System.exit(0);
        });
        Main.main(new String[] {"controller", "--only=buckets", "--kubeconfig=" + kubeconfig, "--listen=127.0.0.1:0"});
    }

    /** Halts if the server ends before that line: without a server there is nothing to train with. */
    private static void await(BufferedReader output, String line) {
        try {
            if (line.equals(output.readLine())) {
                return;
            }
        } catch (IOException e) {
            System.err.println(e.getMessage());
        }
        System.err.println("bucketwright: The server of the training run ended.");
        Runtime.getRuntime().halt(1);
    }
}
