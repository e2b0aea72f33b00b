package io.bucketwright.app.cosi;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.process.ServerCommand;
import io.bucketwright.cosi.adapter.CosiAdapter;
import io.bucketwright.cosi.wire.SocketServer.SocketInUse;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi adapter}. */
@Command(
        name = "adapter",
        mixinStandardHelpOptions = true,
        description = {
            "Mounts the connection data and credentials of a bucket into pods on this node, as a CSI ephemeral volume.",
            "Requires root, the kubelet directory and the CSIDriver in deploy/cosi-adapter.yaml. See"
                    + " docs/cosi-adapter.md."
        })
final class AdapterCommand extends ServerCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(names = "--node-name", required = true, paramLabel = "NAME", description = "Name of this node.")
    private String nodeName = "";

    @Option(
            names = "--kubelet-dir",
            defaultValue = "/var/lib/kubelet",
            paramLabel = "DIR",
            description = "The kubelet's root directory, mounted at the same path as on the host (default:"
                    + " ${DEFAULT-VALUE}).")
    private Path kubeletDir = Path.of("");

    @Option(
            names = "--csi-driver",
            defaultValue = CosiAdapter.DRIVER,
            paramLabel = "NAME",
            description = "Name of the CSIDriver object (default: ${DEFAULT-VALUE}).")
    private String csiDriver = "";

    @Mixin
    private AddedOption<InetSocketAddress> listen = AddedOption.listen("--listen");

    @Override
    protected Server start(Logger log) {
        CosiAdapter.Builder builder = builder().status(listen.value());
        server.requireReachable(server.config());
        try {
            ControllerProcess adapter = server.connect(builder).build().start();
            return new Server(Map.of("driver", csiDriver, "node", nodeName), adapter::close);
        } catch (CosiAdapter.Refused | SocketInUse | IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private CosiAdapter.Builder builder() {
        try {
            return CosiAdapter.builder().driver(csiDriver).node(nodeName).kubelet(kubeletDir);
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        }
    }
}
