package io.bucketwright.cosi.adapter;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An adapter inside the mount and PID namespace of the local node. */
final class AdapterProcess implements AutoCloseable {

    private final Process process;

    private AdapterProcess(Process process) {
        this.process = process;
    }

    static AdapterProcess start(LocalCluster cluster, ApiUser user, Path log) {
        try {
            String child = init(cluster);
            List<String> command = new ArrayList<>(List.of("nsenter", "-t", child, "-m", "-p", "--"));
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    classPath(),
                    AdapterMain.class.getName()));
            command.addAll(
                    List.of(user.kubeconfig().toString(), kubelet(cluster).toString(), "127.0.0.1", "4"));
            return new AdapterProcess(TestProcess.start(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first process in the node's namespaces. */
    static String init(LocalCluster cluster) throws IOException {
        long node = Optional.ofNullable(cluster.status().components().get("node"))
                .orElseThrow()
                .pid();
        return Files.readString(Path.of("/proc/" + node + "/task/" + node + "/children"))
                .strip()
                .split(" ", -1)[0];
    }

    static Path kubelet(LocalCluster cluster) {
        return cluster.dir().resolve("node").resolve("kubelet");
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Ends it as a crash does. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** Surefire puts the real one here where the command line would be too long. */
    private static String classPath() {
        return Optional.ofNullable(System.getProperty("surefire.test.class.path"))
                .or(() -> Optional.ofNullable(System.getProperty("java.class.path")))
                .orElseThrow();
    }
}
