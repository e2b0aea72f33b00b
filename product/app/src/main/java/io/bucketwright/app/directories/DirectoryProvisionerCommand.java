package io.bucketwright.app.directories;

import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.options.ProvisionerOptions;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.volumes.directories.DirectoryProvisioner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright directory provisioner} and {@code bucketwright directory-provisioner}, which are the same. */
@Command(
        name = "directory-provisioner",
        mixinStandardHelpOptions = true,
        description = {
            "Provisions a directory below a root directory for each PersistentVolumeClaim of its classes.",
            "See docs/directories.md for flags, class parameters and annotations."
        })
public final class DirectoryProvisionerCommand extends ControllerProcessCommand {

    private static final String DEFAULT_PROVISIONER = "bucketwright.io/directory";

    /** One value of {@code --storage-asset-root}: a path for all classes without their own root, or for one class. */
    private static final Pattern ROOT = Pattern.compile("(?:([a-z0-9.-]+)=)?(/.+)");

    @Option(
            names = {"-c", "--kubectl-config"},
            paramLabel = "FILE",
            description = "The same as --kubeconfig.")
    private @Nullable Path kubectlConfig;

    @Option(
            names = {"--storage-class", "--storage-classes"},
            split = ",",
            paramLabel = "CLASS",
            description = "StorageClasses to serve, regardless of their provisioner (default: all whose provisioner is"
                    + " --provisioner).")
    private List<String> classes = new ArrayList<>();

    @Option(
            names = "--provisioner",
            paramLabel = "NAME",
            description = "Serve only classes with this provisioner (default without --storage-class: "
                    + DEFAULT_PROVISIONER + ").")
    private String provisioner = "";

    @Option(
            names = "--storage-asset-root",
            required = true,
            split = ",",
            paramLabel = "[CLASS=]DIR",
            description = "Root directory in which directories are created; with CLASS=, for that class only.")
    private List<String> roots = new ArrayList<>();

    @Option(
            names = "--node-name",
            paramLabel = "NODE",
            description = "Serve only local volumes on this node (default: serve only shared file systems).")
    private String node = "";

    @Mixin
    private ProvisionerOptions options = new ProvisionerOptions("claims, and of volumes, that are reconciled");

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            description =
                    "Name of the Lease; processes that share a root directory must share it (default:"
                            + " bucketwright-directories, followed by the name of --node-name and a hash of the root directories).")
    private String leaseName = "";

    @Override
    protected void configure(ApiServerOptions server) {
        if (kubectlConfig != null) {
            if (server.kubeconfig().filter(file -> !file.equals(kubectlConfig)).isPresent()) {
                throw usageError("--kubectl-config and --kubeconfig name different files: use one of them");
            }
            server.useKubeconfig(kubectlConfig);
        }
    }

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        DirectoryProvisioner.Builder builder = DirectoryProvisioner.builder()
                .classes(classes.toArray(String[]::new))
                .provisioner(classes.isEmpty() && provisioner.isEmpty() ? DEFAULT_PROVISIONER : provisioner)
                .namespace(options.namespace())
                .node(node)
                .workers(options.workers())
                .usageInterval(options.usageInterval())
                .describe(LeaseName.SERVES, served(provisioner, classes));
        options.describe(builder);
        for (String text : roots) {
            Matcher root = ROOT.matcher(text);
            if (!root.matches()) {
                throw new IllegalArgumentException(
                        "--storage-asset-root must be an absolute path or CLASS=PATH, not \"" + text + "\"");
            }
            Path path = Path.of(root.group(2));
            if (root.group(1) == null) {
                builder.root(path);
            } else {
                builder.root(root.group(1), path);
            }
        }
        options.apply(builder, ownNamespace, leaseName());
        builder.addTo(process);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("classes", classes, "roots", roots);
    }

    private String leaseName() {
        if (!leaseName.isBlank()) {
            return leaseName;
        }
        return defaultLeaseName(node, roots);
    }

    /** What the Lease says that is served, for doctor and the metrics: the classes, otherwise the provisioner. */
    static String served(String provisioner, List<String> classes) {
        return classes.isEmpty()
                ? provisioner.isEmpty() ? DEFAULT_PROVISIONER : provisioner
                : String.join(",", new TreeSet<>(classes));
    }

    /** Deployments with different roots must not wait for each other. */
    static String defaultLeaseName(String node, List<String> roots) {
        int hash = String.join(",", new TreeSet<>(roots)).hashCode();
        return "bucketwright-directories" + (node.isEmpty() ? "" : "-" + node) + "-"
                + HexFormat.of().toHexDigits(hash);
    }
}
