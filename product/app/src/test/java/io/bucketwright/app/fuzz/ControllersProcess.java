package io.bucketwright.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.app.ProcessEndpoint;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@link AllControllers} in a JVM of its own, with the heap that the chart gives a role: no other test uses its memory, and it
 * ends when that is exhausted, as in a pod.
 */
final class ControllersProcess implements AutoCloseable {

    private static final String ENDPOINT = "STORE_ENDPOINT";
    private static final String IAM_ENDPOINT = "STORE_IAM_ENDPOINT";
    private static final String REGION = "STORE_REGION";
    private static final String KEY = "STORE_ACCESS_KEY_ID";
    private static final String SECRET = "STORE_SECRET_ACCESS_KEY";

    private static final Path LIB = InstalledCommand.DIST.resolve("lib").toAbsolutePath();

    private final Process process;
    private final Path log;
    private final List<ProcessEndpoint> endpoints;

    /**
     * Starts all roles for the classes of one namespace, and waits until they are ready.
     *
     * @param folder of the driver's socket, the root for directories and the log
     */
    ControllersProcess(ApiUser user, StoreAccess store, String namespace, Path folder) throws IOException {
        log = folder.resolve("log-" + System.nanoTime());
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx160m",
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:AOTCache=" + LIB.resolve("bucketwright.aot"),
                        "-Xlog:aot*=off",
                        "-Xlog:cds*=off",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        AllControllers.class.getName(),
                        user.name(),
                        user.kubeconfig().toString(),
                        namespace,
                        folder.toString())
                .redirectError(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        ENDPOINT, store.endpoint(),
                        IAM_ENDPOINT, store.iamEndpoint(),
                        REGION, store.region(),
                        KEY, store.accessKeyId(),
                        SECRET, store.secretAccessKey()));
        process = TestProcess.start(builder);
        endpoints = List.of(nextEndpoint(), nextEndpoint());
    }

    /** That of the installed command, for which its AOT cache was made, and then that of the tests. */
    private static String classPath() throws IOException {
        StringJoiner path = new StringJoiner(File.pathSeparator);
        for (Path folder : List.of(LIB, LIB.resolve("core"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.map(Path::toString)
                        .filter(file -> file.endsWith(".jar"))
                        .sorted()
                        .forEach(path::add);
            }
        }
        return path.add(System.getProperty("java.class.path")).toString();
    }

    /** In the started process: the store of its environment. */
    static StoreAccess store(Map<String, String> environment) {
        return new StoreAccess(
                value(environment, ENDPOINT),
                value(environment, IAM_ENDPOINT),
                value(environment, REGION),
                value(environment, KEY),
                value(environment, SECRET),
                "");
    }

    private static String value(Map<String, String> environment, String name) {
        return Objects.requireNonNull(environment.get(name), name);
    }

    /** What its heap has after a collection. */
    long usedMemory() {
        try {
            process.outputWriter().write(System.lineSeparator());
            process.outputWriter().flush();
            return nextNumber();
        } catch (IOException e) {
            throw new UncheckedIOException(readLog(), e);
        }
    }

    /**
     * Reconciliations that ended with an exception which no controller expects, of the process for all other kinds and of that for
     * the released kinds of COSI.
     */
    List<Double> unexpectedErrors() throws IOException, InterruptedException {
        List<Double> errors = new ArrayList<>();
        for (ProcessEndpoint endpoint : endpoints) {
            errors.add(endpoint.get("/metrics")
                    .body()
                    .lines()
                    .filter(line ->
                            line.startsWith("bucketwright_reconciles_total{") && line.contains("result=\"threw\""))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum());
        }
        return errors;
    }

    /** The status of {@code /livez} or {@code /readyz} of the same two. */
    List<Integer> status(String path) throws IOException, InterruptedException {
        List<Integer> codes = new ArrayList<>();
        for (ProcessEndpoint endpoint : endpoints) {
            codes.add(endpoint.get(path).statusCode());
        }
        return codes;
    }

    private ProcessEndpoint nextEndpoint() throws IOException {
        return new ProcessEndpoint((int) nextNumber());
    }

    private long nextNumber() throws IOException {
        String line = process.inputReader().readLine();
        assertThat(line).as(this::readLog).isNotNull();
        return Long.parseLong(line);
    }

    private String readLog() {
        try {
            String text = Files.readString(log);
            return "The controllers ended: " + text.substring(Math.max(0, text.length() - 4000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its input ends, and it with that. */
    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        process.onExit().completeOnTimeout(process, 1, TimeUnit.MINUTES).join().destroyForcibly();
    }
}
