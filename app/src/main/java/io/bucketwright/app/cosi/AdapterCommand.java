package io.bucketwright.app.cosi;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.app.Foreground;
import io.bucketwright.app.controller.ApiServerOptions;
import io.bucketwright.cosi.adapter.CosiAdapter;
import io.bucketwright.cosi.wire.SocketServer.SocketInUse;
import io.fabric8.kubernetes.client.Config;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi-adapter}. */
@Command(
        name = "cosi-adapter",
        mixinStandardHelpOptions = true,
        description = {
            "Gives pods on this node their bucket as files in an inline volume, until it is told to stop.",
            "Needs root, kubelet's folder, and the CSIDriver of deploy/cosi-adapter.yaml. docs/cosi-adapter.md explains."
        })
public final class AdapterCommand extends AnsweringCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(names = "--node-name", required = true, paramLabel = "NAME", description = "The name of this node.")
    private String nodeName = "";

    @Option(
            names = "--kubelet-dir",
            defaultValue = "/var/lib/kubelet",
            paramLabel = "DIR",
            description = "kubelet's folder, under the path that kubelet knows it by (default: ${DEFAULT-VALUE}).")
    private Path kubeletDir = Path.of("");

    @Option(
            names = "--csi-driver",
            defaultValue = CosiAdapter.DRIVER,
            paramLabel = "NAME",
            description = "The name of the CSIDriver object (default: ${DEFAULT-VALUE}).")
    private String csiDriver = "";

    @Override
    public Integer call() throws InterruptedException {
        Config client = server.config();
        CosiAdapter.Builder builder = builder();
        server.requireReachable(client);
        CosiAdapter adapter = start(builder.client(client));
        Foreground foreground = Foreground.closing(adapter::close);
        // Not a field: a logger made before the flags are read would fix the log's format.
        Logger log = LoggerFactory.getLogger(AdapterCommand.class);
        log.atInfo()
                .addKeyValue("driver", csiDriver)
                .addKeyValue("node", nodeName)
                .log("Started");
        foreground.awaitEnd();
        return 0;
    }

    private CosiAdapter.Builder builder() {
        try {
            return CosiAdapter.builder().driver(csiDriver).node(nodeName).kubelet(kubeletDir);
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private static CosiAdapter start(CosiAdapter.Builder builder) throws InterruptedException {
        try {
            return builder.start();
        } catch (CosiAdapter.Refused | SocketInUse | UncheckedIOException | IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
    }
}
