package io.bucketwright.app.process;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.options.ListenOption;
import io.fabric8.kubernetes.client.Config;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import picocli.CommandLine.Mixin;

/** A command that runs controllers: it connects to the API server and serves health checks and metrics. */
public abstract class ControllerProcessCommand extends ServerCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Mixin
    private ListenOption listen = new ListenOption();

    /**
     * Controllers that are wired and not started.
     *
     * @param port of the status server
     */
    public record Controllers(Runnable start, IntSupplier port, Runnable close) {}

    /**
     * Wires the controllers; sends nothing.
     *
     * @throws IllegalArgumentException if a flag has a wrong value; reported as a usage error
     */
    protected abstract Controllers build(Config client, InetSocketAddress status);

    /** Fields of the log line that reports the start. */
    protected abstract Map<String, ?> description();

    /** Logs what the user should know about the flags before the start. */
    protected void warn(Logger log) {}

    /** The API server to connect to. */
    protected Config config(ApiServerOptions options) {
        return options.config();
    }

    @Override
    protected final Server start(Logger log) {
        Config client = config(server);
        // Before the connection: wrong flags are reported even if the API server is not reachable.
        Controllers controllers = buildOrFail(client);
        try {
            server.requireReachable(client);
            warn(log);
            controllers.start().run();
        } catch (CommandException e) {
            controllers.close().run();
            throw e;
        }
        Map<String, Object> description = new LinkedHashMap<>(description());
        description.put("port", controllers.port().getAsInt());
        return new Server(description, controllers.close());
    }

    private Controllers buildOrFail(Config client) {
        try {
            return build(client, listen.address());
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof BindException) {
                throw new CommandException(
                        "Cannot listen on " + listen.text() + " for health checks and metrics: "
                                + e.getCause().getMessage() + ". Set --listen to a free port.",
                        e);
            }
            throw e;
        }
    }

    /** A name for this process that no other process has: the pod's name and a random suffix. */
    protected static String uniqueIdentity() {
        return Optional.ofNullable(System.getenv("HOSTNAME")).orElse("bucketwright") + "-"
                + UUID.randomUUID().toString().substring(0, 8);
    }
}
