package io.bucketwright.app.cosi;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.stores.StoreMetrics;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.CredentialPath;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.sidecar.driver.SidecarBuilder;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.cosi.wire.SocketServer.SocketInUse;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.http.MetricsServer;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.observation.StoreObserver;
import io.grpc.BindableService;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A COSI driver that serves a socket, and its metrics by HTTP. */
record DriverProcess(String name, CosiDriver driver, SocketServer server, MetricsServer metrics)
        implements AutoCloseable {

    private static final List<String> VARIABLES = List.of(
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "AZURE_STORAGE_KEY",
            "GOOGLE_SERVICE_ACCOUNT_JSON");

    /**
     * Starts the driver at a socket and returns.
     *
     * @param clusterId in ownership tags; empty if it is not known
     * @param address of /livez, /readyz and /metrics
     * @throws IllegalArgumentException if a flag has an invalid value
     * @throws CommandException if the socket or the address cannot be served, or the credentials cannot be read
     */
    static DriverProcess start(
            DriverOptions options, String name, String clusterId, String listen, InetSocketAddress address) {
        SocketPath socket = SocketPath.parse(listen);
        MetricsServer metrics = serve(address);
        try {
            CosiDriver driver = driver(options, name, new StoreMetrics(metrics.meters()));
            try {
                List<BindableService> services =
                        clusterId.isEmpty() ? driver.services() : driver.services(() -> clusterId);
                return new DriverProcess(name, driver, SocketServer.start(socket, services), metrics);
            } catch (SocketInUse | UncheckedIOException e) {
                driver.close();
                throw new CommandException(String.valueOf(e.getMessage()), e);
            }
        } catch (RuntimeException e) {
            metrics.close();
            throw e;
        }
    }

    private static MetricsServer serve(InetSocketAddress address) {
        try {
            return new MetricsServer(address);
        } catch (UncheckedIOException e) {
            throw new CommandException(e.getMessage() + " with --metrics-listen.", e);
        }
    }

    /** Adds a sidecar to the process that calls a driver in the same process. As {@link #start}, but without a socket. */
    static void addTo(ControllerProcess process, SidecarBuilder<?> sidecar, DriverOptions options, String name) {
        CosiDriver driver = driver(options, name, new StoreMetrics(process.meters()));
        // Before the sidecar: what was added last is closed first.
        process.onClose(driver::close);
        sidecar.driver(driver::services).addTo(process);
    }

    private static CosiDriver driver(DriverOptions options, String name, StoreObserver observer) {
        @Nullable Path path = options.credentials();
        DriverCredentials own = path == null ? fromEnvironment() : new CredentialPath(path);
        CosiDriver driver = new CosiDriver(
                new DriverSettings(name, options.store(), options.parameters()), Stores.installed(), own, observer);
        try {
            own.read();
            return driver;
        } catch (UncheckedIOException | Denied e) {
            driver.close();
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    String socket() {
        return server.socket().toString();
    }

    @Override
    public void close() {
        server.close();
        driver.close();
        metrics.close();
    }

    private static DriverCredentials fromEnvironment() {
        Map<String, SecretValue> found = new HashMap<>();
        for (String variable : VARIABLES) {
            Optional.ofNullable(System.getenv(variable)).ifPresent(value -> found.put(variable, SecretValue.of(value)));
        }
        AdministratorSecret secret = new AdministratorSecret(found);
        return () -> secret;
    }
}
