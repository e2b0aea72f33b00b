package io.bucketwright.app.directories;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.app.Foreground;
import io.bucketwright.app.controller.ApiServerOptions;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.volumes.directories.DirectoryProvisioner;
import io.bucketwright.volumes.directories.files.PosixRootDirectory;
import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright directory-provisioner}. */
@Command(
        name = "directory-provisioner",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a directory below a root for each PersistentVolumeClaim of its classes, until it is told to stop.",
            "docs/directories.md has all flags, class parameters and annotations."
        })
public final class DirectoryProvisionerCommand extends AnsweringCommand {

    private static final String DEFAULT_PROVISIONER = "bucketwright.io/directory";

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = {"-c", "--kubectl-config"},
            paramLabel = "FILE",
            description = "The same as --kubeconfig.")
    private @Nullable Path kubectlConfig;

    @Option(
            names = {"--storage-class", "--storage-classes"},
            split = ",",
            paramLabel = "CLASS",
            description =
                    "The classes to serve, whatever provisioner they name (default: all that name --provisioner).")
    private List<String> classes = new ArrayList<>();

    @Option(
            names = "--provisioner",
            defaultValue = "",
            paramLabel = "NAME",
            description = "Serve only classes that name this provisioner (default without --storage-class: "
                    + DEFAULT_PROVISIONER + ").")
    private String provisioner = "";

    @Option(
            names = "--storage-asset-root",
            required = true,
            split = ",",
            paramLabel = "[CLASS=]DIR",
            description = "Where directories are made, as this process sees it; with CLASS= for one class alone.")
    private List<String> roots = new ArrayList<>();

    @Option(
            names = "--node-name",
            defaultValue = "",
            paramLabel = "NODE",
            description =
                    "Serve local volumes on this node's own disk, and nothing else (default: serve what is shared).")
    private String node = "";

    @Option(
            names = "--namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Serve the claims of this namespace only (default: all).")
    private String namespace = "";

    @Option(
            names = "--workers",
            defaultValue = "16",
            paramLabel = "N",
            description = "How many claims, and how many volumes, are worked on at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether several of these may run and one works (default: yes).")
    private boolean leaderElect;

    @Option(
            names = "--lease-namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Where the lease is (default: the pod's own namespace, else `default`).")
    private String leaseNamespace = "";

    @Option(
            names = "--lease-name",
            defaultValue = "",
            paramLabel = "NAME",
            description = "The lease's name; one for each set of roots (default: bucketwright-directories, and with"
                    + " --node-name the node's name behind it).")
    private String leaseName = "";

    @Option(
            names = "--lease-seconds",
            defaultValue = "15",
            paramLabel = "SECONDS",
            description = "How long a dead leader is waited for (default: ${DEFAULT-VALUE}).")
    private int leaseSeconds;

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:0",
            paramLabel = "HOST:PORT",
            description = "Where /livez, /readyz and /metrics are served; port 0 takes a free one (default:"
                    + " ${DEFAULT-VALUE}).")
    private String listen = "";

    @Option(
            names = "--usage-every",
            defaultValue = "15m",
            paramLabel = "DURATION",
            description = "How often each volume's content and each root's space are measured for the metrics; 0s for"
                    + " never (default: ${DEFAULT-VALUE}).")
    private String usageEvery = "";

    @Override
    public Integer call() throws InterruptedException {
        Config client = client();
        // What is wrong with the flags is told first, also where the API server is away.
        DirectoryProvisioner process = build(builder(client));
        server.requireReachable(client);
        process.start();
        Foreground foreground = Foreground.closing(process::close);
        // Not a field: a logger made before the flags are read would fix the log's format.
        Logger log = LoggerFactory.getLogger(DirectoryProvisionerCommand.class);
        log.atInfo()
                .addKeyValue("classes", classes)
                .addKeyValue("roots", roots)
                .addKeyValue("port", process.port())
                .log("Started");
        foreground.awaitEnd();
        return 0;
    }

    private Config client() {
        if (kubectlConfig == null) {
            return server.config();
        }
        if (!Files.isReadable(kubectlConfig)) {
            throw new Failure("The kubeconfig " + kubectlConfig + " cannot be read.");
        }
        return Config.fromKubeconfig(kubectlConfig.toFile());
    }

    private DirectoryProvisioner.Builder builder(Config client) {
        if (workers < 1) {
            throw wrongUsage("--workers must be at least 1, not " + workers);
        }
        DirectoryProvisioner.Builder builder = DirectoryProvisioner.builder()
                .client(client)
                .classes(classes.toArray(String[]::new))
                .provisioner(classes.isEmpty() && provisioner.isEmpty() ? DEFAULT_PROVISIONER : provisioner)
                .namespace(namespace)
                .node(node)
                .workers(workers)
                .status(address())
                .usageEvery(duration());
        for (RootOption root : rootOptions()) {
            if (root.storageClass().isEmpty()) {
                builder.root(root.path());
            } else {
                builder.root(root.storageClass(), root.path());
            }
        }
        if (leaderElect) {
            builder.lease(leaseNamespace.isBlank() ? ownNamespace(client) : leaseNamespace, leaseName(), timing());
        }
        return builder;
    }

    private DirectoryProvisioner build(DirectoryProvisioner.Builder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private List<RootOption> rootOptions() {
        try {
            List<RootOption> all = roots.stream().map(RootOption::parse).toList();
            // Told before a connection is tried.
            all.forEach(root -> new PosixRootDirectory(root.path()));
            return all;
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private String leaseName() {
        if (!leaseName.isBlank()) {
            return leaseName;
        }
        return "bucketwright-directories" + (node.isEmpty() ? "" : "-" + node);
    }

    private LeaseTiming timing() {
        try {
            Duration lease = Duration.ofSeconds(leaseSeconds);
            return LeaseTiming.lasting(lease);
        } catch (IllegalArgumentException e) {
            throw wrongUsage("--lease-seconds: " + e.getMessage());
        }
    }

    private InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        try {
            return new InetSocketAddress(listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw wrongUsage("--listen must be HOST:PORT, not \"" + listen + "\"");
        }
    }

    private Duration duration() {
        try {
            return Duration.parse("PT" + usageEvery);
        } catch (DateTimeParseException e) {
            throw wrongUsage("--usage-every must be a duration such as 1h, 30m or 0s, not \"" + usageEvery + "\"");
        }
    }

    private static String ownNamespace(Config client) {
        String known = client.getNamespace();
        return known == null || known.isBlank() ? "default" : known;
    }
}
