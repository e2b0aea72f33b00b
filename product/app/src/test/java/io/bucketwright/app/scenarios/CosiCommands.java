package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The installed COSI commands with the permissions of deploy/, as docs/cosi.md describes, and kubectl. */
final class CosiCommands implements AutoCloseable {

    /** The controller serves all namespaces under one lease, so tests with these commands run one after another. */
    static final String LOCK = "cosi-commands";

    static final String PROVISIONER = "bucketwright-cosi/s3.bucketwright.io";

    private final LocalCluster local;
    private final TestCluster cluster;
    private final Path folder;
    private final StoreAccess store;
    private final Deque<InstalledCommand> running = new ArrayDeque<>();

    CosiCommands(TestCluster cluster, StoreAccess store, Path folder) {
        this.local = cluster.local();
        this.cluster = cluster;
        this.store = store;
        this.folder = folder;
    }

    /** Custom resource definitions, permissions, and three processes: controller, driver, sidecar. */
    void start() throws Exception {
        startController();
        Path socket = folder.resolve("cosi.sock");
        start(credentials(), List.of(), "driver", withStore("--listen=unix://" + socket));
        start(Map.of(), List.of(), "sidecar", withAccount("--driver=unix://" + socket));
    }

    /** Custom resource definitions, permissions, and two processes: the driver is in that of the sidecar. */
    void startWithDriver() throws Exception {
        startController();
        start(credentials(), List.of(), "sidecar", withStore(withAccount("--with-driver")));
    }

    private Map<String, String> credentials() {
        return Map.of("AWS_ACCESS_KEY_ID", store.accessKeyId(), "AWS_SECRET_ACCESS_KEY", store.secretAccessKey());
    }

    private String[] withStore(String... flags) {
        return Stream.concat(
                        Stream.of(flags),
                        Stream.of(
                                "--store=s3",
                                "--param=endpoint=" + store.endpoint(),
                                "--param=iamEndpoint=" + store.iamEndpoint(),
                                "--param=region=" + store.region()))
                .toArray(String[]::new);
    }

    private String[] withAccount(String flag) throws Exception {
        return new String[] {
            flag, "--provisioner=" + PROVISIONER, "--kubeconfig=" + account("bucketwright-cosi", "cosi-sidecar")
        };
    }

    private void startController() throws Exception {
        Path crds =
                Files.writeString(folder.resolve("crds.yaml"), InstalledCommand.run(folder, "crds", "--only", "cosi"));
        kubectl("apply", "-f", crds.toString());
        kubectl("apply", "-f", "../../deploy/cosi-rbac.yaml", "-f", "../../deploy/cosi-sidecar-rbac.yaml");
        start(
                Map.of(),
                List.of(),
                "controller",
                "--cosi-api=cosi.io",
                "--lease-namespace=bucketwright",
                "--kubeconfig=" + account("bucketwright", "bucketwright-cosi"));
    }

    /** The adapter, in the node's own namespaces, where it must be to mount. */
    void startAdapter() throws Exception {
        kubectl("apply", "-f", "../../deploy/cosi-adapter.yaml");
        long node = Optional.ofNullable(local.status().components().get("node"))
                .orElseThrow()
                .pid();
        String init = Files.readString(Path.of("/proc/" + node + "/task/" + node + "/children"))
                .strip()
                .split(" ", -1)[0];
        start(
                Map.of(),
                List.of("nsenter", "-t", init, "-m", "-p", "--"),
                "adapter",
                "--node-name=127.0.0.1",
                "--kubelet-dir=" + local.dir().resolve("node").resolve("kubelet"),
                "--kubeconfig=" + account("bucketwright-cosi", "cosi-adapter"));
    }

    Map<String, String> secret(String namespace, String name) {
        return TestCluster.decoded(
                cluster.admin().secrets().inNamespace(namespace).withName(name).require());
    }

    String logs() {
        return running.stream().map(command -> command.out() + command.err()).collect(Collectors.joining());
    }

    void kubectl(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(local.kubectl().toString(), "--kubeconfig=" + local.kubeconfig()));
        all.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(all + ": " + printed).isZero();
    }

    @Override
    public void close() {
        for (InstalledCommand command : running) {
            // nsenter waits for its child and does not pass signals on.
            command.process().descendants().forEach(ProcessHandle::destroy);
            command.close();
        }
    }

    private void start(Map<String, String> environment, List<String> wrapper, String command, String... flags) {
        InstalledCommand started = InstalledCommand.start(
                folder,
                command,
                environment,
                wrapper,
                Stream.concat(Stream.of("--log-format=json", "cosi", command), Stream.of(flags))
                        .toArray(String[]::new));
        running.push(started);
        started.awaitStarted();
    }

    /** A kubeconfig with the account's own token, as docs/cosi.md says. */
    private Path account(String namespace, String name) throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig-" + name);
        ProcessBuilder builder = new ProcessBuilder("../../deploy/service-account-kubeconfig.sh", namespace, name)
                .redirectOutput(kubeconfig.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("KUBECTL", local.kubectl() + " --kubeconfig=" + local.kubeconfig());
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        return kubeconfig;
    }
}
