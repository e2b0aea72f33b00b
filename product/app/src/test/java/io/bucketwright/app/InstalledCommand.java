package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.testing.TestProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process of the installed command, with its output in two files. */
public record InstalledCommand(String name, Process process, Path outFile, Path errFile) implements AutoCloseable {

    /** The installed layout. */
    public static final Path DIST = Path.of("target", "dist");

    private static final Pattern PORT = Pattern.compile("\"port\":\\s*\"?(\\d+)");

    /** Starts the command; its output files have that name. */
    public static InstalledCommand start(Path folder, String name, String... arguments) {
        return start(folder, name, Map.of(), List.of(), arguments);
    }

    /**
     * Starts the command.
     *
     * @param wrapper a command that runs the command, such as nsenter; can be empty
     */
    public static InstalledCommand start(
            Path folder, String name, Map<String, String> environment, List<String> wrapper, String... arguments) {
        String executable = DIST.resolve("bin/bucketwright").toAbsolutePath().toString();
        return startAny(
                folder,
                name,
                environment,
                Stream.of(wrapper.stream(), Stream.of(executable), Stream.of(arguments))
                        .flatMap(words -> words)
                        .toList());
    }

    /** Starts another command in the same way. */
    public static InstalledCommand startAny(
            Path folder, String name, Map<String, String> environment, List<String> command) {
        Path out = folder.resolve(name + ".out");
        Path err = folder.resolve(name + ".err");
        // A build that runs in the background of a shell ignores SIGINT, and its children inherit that.
        List<String> interruptible = Stream.concat(Stream.of("env", "--default-signal=INT"), command.stream())
                .toList();
        ProcessBuilder builder =
                new ProcessBuilder(interruptible).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        try {
            return new InstalledCommand(name, TestProcess.start(builder), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command and returns its output; fails unless it succeeds. */
    public static String run(Path folder, String... arguments) throws InterruptedException {
        InstalledCommand command = start(folder, "run-" + System.nanoTime(), arguments);
        assertThat(command.await()).as(command.out() + command.err()).isZero();
        return command.out() + command.err();
    }

    /** Starts a controller and waits until it reports that. Its service account is in the namespace bucketwright. */
    public static InstalledCommand controller(TestCluster cluster, Path folder, String account, String... arguments) {
        String name = arguments[0] + "-" + System.nanoTime();
        ApiUser user = serviceAccount(cluster, "bucketwright", account, folder.resolve(name));
        return start(
                        folder,
                        name,
                        Stream.concat(
                                        Stream.of(arguments),
                                        Stream.of(
                                                "--kubeconfig=" + user.kubeconfig(),
                                                "--lease-duration=3s",
                                                "--log-format=json"))
                                .toArray(String[]::new))
                .awaitStarted();
    }

    /** Waits until a server reports that it has started. */
    public InstalledCommand awaitStarted() {
        Eventually.await(name + " to start").until(() -> err().contains("Started") || !process.isAlive());
        assertThat(process.isAlive()).as(() -> name + " exited: " + err()).isTrue();
        return this;
    }

    /** Applies a file of deploy/. */
    public static void deploy(TestCluster cluster, String file) {
        manifest(cluster, file)
                .forEach(object ->
                        cluster.admin().resource(object).forceConflicts().serverSideApply());
    }

    /** The objects of a file of deploy/. */
    public static List<HasMetadata> manifest(TestCluster cluster, String file) {
        try (FileInputStream manifest = new FileInputStream("../../deploy/" + file)) {
            return cluster.admin().load(manifest).items();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A service account.
     *
     * @param kubeconfig where its kubeconfig is written: the administrator's, with the token of the account instead
     */
    public static ApiUser serviceAccount(TestCluster cluster, String namespace, String name, Path kubeconfig) {
        String token = cluster.admin()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        try {
            String text = Files.readString(cluster.local().kubeconfig())
                    .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
            // A test calls this for one account several times at once: whoever reads the file meanwhile sees a whole
            // one.
            Path whole = Files.writeString(Files.createTempFile(kubeconfig.getParent(), "kubeconfig", ""), text);
            return new ApiUser(
                    "system:serviceaccount:" + namespace + ":" + name,
                    Files.move(whole, kubeconfig, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end and returns the exit code. */
    public int await() throws InterruptedException {
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    public String out() {
        return SourceTree.read(outFile);
    }

    /** Standard error: the log of a controller. */
    public String err() {
        return SourceTree.read(errFile);
    }

    /** The metrics of a controller. */
    public String metrics() throws IOException, InterruptedException {
        Matcher port = PORT.matcher(err());
        assertThat(port.find()).isTrue();
        return new ProcessEndpoint(Integer.parseInt(port.group(1)))
                .get("/metrics")
                .body();
    }

    /** As {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    /** Sends SIGTERM, as a rolling update does, and waits for the exit. */
    @Override
    public void close() {
        process.destroy();
        assertThat(process.onExit()
                        .completeOnTimeout(process, 30, TimeUnit.SECONDS)
                        .join()
                        .isAlive())
                .as(() -> name + " did not exit:\n" + err())
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

    /**
     * Command lines of running processes that name the folder. Not from ProcessHandle: it leaves out all arguments of a
     * command line of more than 4 KiB, as a long class path makes it.
     */
    public static List<String> processesOf(String folder) {
        return ProcessHandle.allProcesses()
                .map(process -> Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                .flatMap(file -> {
                    try {
                        return Stream.of(Files.readString(file, StandardCharsets.ISO_8859_1)
                                .replace('\0', ' ')
                                .strip());
                    } catch (IOException e) {
                        // Ended in between.
                        return Stream.empty();
                    }
                })
                .filter(line -> line.contains(folder))
                .toList();
    }
}
