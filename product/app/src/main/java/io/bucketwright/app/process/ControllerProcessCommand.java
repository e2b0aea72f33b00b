package io.bucketwright.app.process;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseName;
import io.fabric8.kubernetes.client.Config;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import picocli.CommandLine.Mixin;

/** A command that runs controllers: it connects to the API server and serves health checks and metrics. */
public abstract class ControllerProcessCommand extends ServerCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Mixin
    private AddedOption<InetSocketAddress> listen = AddedOption.listen("--listen");

    /**
     * Adds the controllers to the process.
     *
     * @param namespace the namespace of the pod or of the kubeconfig's context
     * @throws IllegalArgumentException if a flag has an invalid value; reported as a usage error
     */
    protected abstract void addControllers(ControllerProcess process, String namespace);

    /** Fields of the log line that reports the start. */
    protected abstract Map<String, ?> description();

    /** Logs what the user should know about the flags. */
    protected void warn(Logger log) {}

    /** For a command that has a second flag for the kubeconfig. */
    protected void configure(ApiServerOptions options) {}

    /** A name for this process: the pod's name, and the pod's uid from the downward API or a random suffix. */
    protected String identity() {
        return Optional.ofNullable(System.getenv("HOSTNAME")).orElse("bucketwright") + "-"
                + Optional.ofNullable(System.getenv("POD_UID"))
                        .filter(uid -> !uid.isBlank())
                        .orElseGet(() -> UUID.randomUUID().toString().substring(0, 8));
    }

    @Override
    protected final Server start(Logger log) {
        configure(server);
        Config client = server.config();
        ControllerProcess process = open();
        try {
            // Before the connection: wrong flags are reported even if the API server is not reachable.
            addControllers(process, ApiServerOptions.namespace(client));
            ApiServerOptions.reportUnreachable(process, client, log);
            warn(log);
            process.start();
        } catch (IllegalArgumentException e) {
            process.close();
            throw usageError(e);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
        Map<String, Object> description = new LinkedHashMap<>(description());
        description.put("port", process.port());
        return new Server(description, process::close);
    }

    private static String version() {
        return Optional.ofNullable(ControllerProcessCommand.class.getPackage().getImplementationVersion())
                .orElse(PublishedSettings.DEVELOPMENT);
    }

    /** The Helm release, which the chart sets. It becomes a label: what is no label value would make leader election fail. */
    private static Optional<String> release() {
        return Optional.ofNullable(System.getenv("BUCKETWRIGHT_RELEASE"))
                .filter(name -> name.matches("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"));
    }

    private ControllerProcess open() {
        try {
            ControllerProcess.Builder builder = server.connect(ControllerProcess.builder())
                    .identity(identity())
                    .status(listen.value())
                    .describe(LeaseName.VERSION, version());
            release().ifPresent(name -> builder.describe(LeaseName.RELEASE, name));
            return builder.build();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof BindException) {
                throw new CommandException(
                        "Cannot listen on " + listen.value().getHostString() + ":"
                                + listen.value().getPort() + " for health checks and metrics: "
                                + e.getCause().getMessage() + ". Set --listen to a free port.",
                        e);
            }
            throw e;
        }
    }
}
