package io.bucketwright.app.cosi;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Foreground;
import io.bucketwright.app.controller.ApiServerOptions;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi-sidecar}. */
@Command(
        name = "cosi-sidecar",
        mixinStandardHelpOptions = true,
        description = {
            "Serves the Buckets and BucketAccesses of one provisioner with a COSI driver, until it is told to stop.",
            "An API server or a driver that is away is waited for. docs/cosi-sidecar.md explains."
        })
public final class SidecarCommand extends AnsweringCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = "--provisioner",
            required = true,
            paramLabel = "NAMESPACE/NAME",
            description = "The provisioner as classes name it. The namespace is where the Secrets it makes are kept.")
    private String provisioner = "";

    @Option(
            names = "--driver",
            defaultValue = "unix:///var/lib/cosi/cosi.sock",
            paramLabel = "unix:///PATH",
            description = "The driver's socket (default: ${DEFAULT-VALUE}).")
    private String driver = "";

    @Option(
            names = "--driver-timeout",
            defaultValue = "10s",
            paramLabel = "DURATION",
            description = "How long one call to the driver may take (default: ${DEFAULT-VALUE}).")
    private String driverTimeout = "";

    @Option(
            names = "--secret-namespaces",
            split = ",",
            paramLabel = "NAMESPACE",
            description = "Where provisioner secrets may be read beside the provisioner's own namespace.")
    private Set<String> secretNamespaces = new LinkedHashSet<>();

    @Option(
            names = "--workers",
            defaultValue = "8",
            paramLabel = "N",
            description = "How many objects of each kind are worked on at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether several of these may run and one works (default: yes).")
    private boolean leaderElect;

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

    @Override
    public Integer call() throws InterruptedException {
        Config client = server.config();
        CosiSidecar.Builder builder = builder();
        server.requireReachable(client);
        CosiSidecar sidecar = builder.client(client).build().start();
        Foreground foreground = Foreground.closing(sidecar::close);
        // Not a field: a logger made before the flags are read would fix the log's format.
        Logger log = LoggerFactory.getLogger(SidecarCommand.class);
        log.atInfo()
                .addKeyValue("provisioner", provisioner)
                .addKeyValue("driver", driver)
                .addKeyValue("port", sidecar.port())
                .log("Started");
        foreground.awaitEnd();
        return 0;
    }

    private CosiSidecar.Builder builder() {
        try {
            CosiSidecar.Builder builder = CosiSidecar.builder()
                    .provisioner(provisioner)
                    .driver(driver)
                    .workers(workers)
                    .driverCall(duration())
                    .secretNamespaces(secretNamespaces)
                    .status(address());
            if (leaderElect) {
                Duration lease = Duration.ofSeconds(leaseSeconds);
                builder.lease(
                        provisioner.substring(0, provisioner.indexOf('/')),
                        "cosi-sidecar-" + provisioner.substring(provisioner.indexOf('/') + 1),
                        LeaseTiming.lasting(lease));
            }
            return builder;
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
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
            return Duration.parse("PT" + driverTimeout);
        } catch (DateTimeParseException e) {
            throw wrongUsage("--driver-timeout must be a duration such as 10s, not \"" + driverTimeout + "\"");
        }
    }
}
