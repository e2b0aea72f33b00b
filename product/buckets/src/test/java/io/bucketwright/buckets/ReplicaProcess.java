package io.bucketwright.buckets;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of its own that provisions buckets, which a test stops and resumes as the kernel does. */
record ReplicaProcess(Process process) implements AutoCloseable {

    static final String LEASE = "buckets";

    /** What the process runs. Kubeconfig, namespace, provisioner, identity, seconds of the lease and port are its arguments. */
    public static void main(String[] arguments) throws InterruptedException {
        try (ControllerProcess running = BucketProvisioner.builder()
                .kubeconfig(Path.of(arguments[0]))
                .namespace(arguments[1])
                .provisioner(arguments[2])
                .identity(arguments[3])
                .lease(arguments[1], LEASE, LeaseTiming.lasting(Duration.ofSeconds(Long.parseLong(arguments[4]))))
                .status(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[5])))
                .stores(Stores.installed(), "s3")
                .build()) {
            running.run();
        }
    }

    /**
     * Starts the process.
     *
     * @param port where it listens; 0 for a free one
     */
    static ReplicaProcess start(
            Path kubeconfig, String namespace, String provisioner, String identity, int leaseSeconds, int port) {
        return new ReplicaProcess(start(
                ReplicaProcess.class,
                ProcessBuilder.Redirect.DISCARD,
                kubeconfig.toString(),
                namespace,
                provisioner,
                identity,
                Integer.toString(leaseSeconds),
                Integer.toString(port)));
    }

    /** Starts a process with the class path of this one. */
    static Process start(Class<?> main, ProcessBuilder.Redirect output, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            return TestProcess.start(
                    new ProcessBuilder(command).redirectOutput(output).redirectError(ProcessBuilder.Redirect.INHERIT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGSTOP: the process does nothing, and does not notice it. */
    void stop() {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGKILL. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
