package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process of the installed command, with its output in two files. */
public final class InstalledCommand implements AutoCloseable {

    /** The installed layout. */
    public static final Path DIST = Path.of("target", "dist");

    private static final Pattern PORT = Pattern.compile("\"port\":\\s*\"?(\\d+)");

    private final Process process;
    private final Path out;
    private final Path err;

    private InstalledCommand(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts the command.
     *
     * @param name of its output files
     */
    public static InstalledCommand start(Path folder, String name, String... arguments) throws IOException {
        return start(
                folder,
                name,
                Stream.concat(Stream.of(DIST.resolve("bin/bucketwright").toString()), Stream.of(arguments))
                        .toList());
    }

    /** Starts another command in the same way. */
    public static InstalledCommand start(Path folder, String name, List<String> command) throws IOException {
        Path out = folder.resolve(name + ".out");
        Path err = folder.resolve(name + ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new InstalledCommand(builder.start(), out, err);
    }

    /** Starts a controller and waits until it reports that. Its service account is in the namespace bucketwright. */
    public static InstalledCommand controller(TestCluster cluster, Path folder, String account, String... arguments)
            throws IOException {
        String name = arguments[0] + "-" + System.nanoTime();
        Path kubeconfig = Files.writeString(folder.resolve(name), kubeconfig(cluster, account));
        InstalledCommand started = start(
                folder,
                name,
                Stream.concat(
                                Stream.of(arguments),
                                Stream.of("--kubeconfig=" + kubeconfig, "--lease-duration=3s", "--log-format=json"))
                        .toArray(String[]::new));
        Eventually.await(name + " to start")
                .until(() -> started.err().contains("Started") || !started.process.isAlive());
        assertThat(started.process.isAlive()).as(started.err()).isTrue();
        return started;
    }

    /** Applies a file of deploy/. */
    public static void deploy(TestCluster cluster, String file) throws IOException {
        try (FileInputStream manifest = new FileInputStream("../deploy/" + file)) {
            cluster.admin().load(manifest).forceConflicts().serverSideApply();
        }
    }

    /** The administrator's kubeconfig with the token of a service account instead. */
    private static String kubeconfig(TestCluster cluster, String account) throws IOException {
        String token = cluster.admin()
                .serviceAccounts()
                .inNamespace("bucketwright")
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        return Files.readString(cluster.local().kubeconfig())
                .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
    }

    /** Waits for the end and returns the exit code. */
    public int await() throws InterruptedException {
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    public Process process() {
        return process;
    }

    public String out() throws IOException {
        return Files.readString(out);
    }

    /** Standard error: the log of a controller. */
    public String err() throws IOException {
        return Files.readString(err);
    }

    /** The metrics of a controller. */
    public String metrics() throws IOException, InterruptedException {
        Matcher port = PORT.matcher(err());
        assertThat(port.find()).isTrue();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** Sends SIGTERM and waits for the end. */
    @Override
    public void close() {
        process.destroy();
        assertThat(process.onExit()
                        .completeOnTimeout(process, 30, TimeUnit.SECONDS)
                        .join()
                        .isAlive())
                .isFalse();
    }

    /** The last leader has released the lease. */
    public static void assertReleased(TestCluster cluster, String lease) {
        assertThat(cluster.admin()
                        .leases()
                        .inNamespace("bucketwright")
                        .withName(lease)
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .as("holder of the lease %s", lease)
                .isNullOrEmpty();
    }
}
