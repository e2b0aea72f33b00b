package io.bucketwright.devtools.demo;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.server.Probe;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The controllers of the demo. Each is a process of its own, as in a cluster, with a log file of its own; all of them end
 * with the local cluster.
 */
final class DemoProcesses implements DemoControllers {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final List<String> PROXY_VARIABLES = List.of(
            "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "ALL_PROXY", "all_proxy");

    private final LocalCluster local;
    private final DemoOptions options;
    private final DemoSteps steps;
    private final Deque<String> started = new ArrayDeque<>();

    DemoProcesses(LocalCluster local, DemoOptions options, DemoSteps steps) {
        this.local = local;
        this.options = options;
        this.steps = steps;
    }

    @Override
    public Path folder() {
        return local.controllerFiles();
    }

    @Override
    public void start(DemoCluster cluster, DemoPart part, List<DemoController> commands) {
        commands.forEach(command -> start(command.name(), command.arguments()));
    }

    private void start(String name, List<String> arguments) {
        steps.print("$ bucketwright " + String.join(" ", arguments));
        int port = Ports.choose(null);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The same JVM with the same options, so that it starts as fast as this one.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.bucketwright.app.Main"));
        command.addAll(arguments);
        command.addAll(List.of("--listen=127.0.0.1:" + port, "--leader-elect=false", connection()));
        started.push(name);
        local.launch(name, command, environment());
        steps.waitFor(name + " to be ready", () -> awaitReady(name, port));
    }

    private boolean awaitReady(String name, int port) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (Probe probe = Probe.plain()) {
            while (!probe.ok("http://127.0.0.1:" + port + "/readyz")) {
                if (!local.isRunning(name)) {
                    throw new CommandException("The process " + name + " exited.");
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new CommandException(
                            "The process " + name + " is not ready after " + TIMEOUT.toSeconds() + " seconds.");
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("Interrupted while waiting for " + name + " to be ready.", e);
        }
    }

    @Override
    public void stop() {
        while (!started.isEmpty()) {
            local.stop(started.pop());
        }
    }

    @Override
    public Stream<Path> logs() {
        return started.stream().map(name -> local.logs().resolve(name + ".log"));
    }

    private String connection() {
        return options.context().map(context -> "--context=" + context).orElse("--kubeconfig=" + local.kubeconfig());
    }

    /** A local cluster needs no proxy, and its processes have none; another one may. */
    private Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>();
        if (options.context().isPresent()) {
            PROXY_VARIABLES.stream()
                    .filter(name -> System.getenv(name) != null)
                    .forEach(name -> variables.put(name, Objects.requireNonNull(System.getenv(name))));
        }
        return variables;
    }
}
