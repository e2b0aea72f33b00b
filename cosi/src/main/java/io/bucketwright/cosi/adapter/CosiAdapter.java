package io.bucketwright.cosi.adapter;

import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.store.errors.InputText;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The adapter of one node: a CSI driver for inline volumes that registers itself with kubelet. */
public final class CosiAdapter implements AutoCloseable {

    /** The name of the CSIDriver, unless said otherwise. */
    public static final String DRIVER = "cosi.bucketwright.io";

    private static final Duration START = Duration.ofSeconds(30);

    private final SystemTime time;
    private final ApiConnection connection;
    private final SharedIndexInformer<CSIDriver> drivers;
    private final SocketServer csi;
    private final SocketServer registration;
    private final CountDownLatch closed = new CountDownLatch(1);

    private CosiAdapter(
            SystemTime time,
            ApiConnection connection,
            SharedIndexInformer<CSIDriver> drivers,
            SocketServer csi,
            SocketServer registration) {
        this.time = time;
        this.connection = connection;
        this.drivers = drivers;
        this.csi = csi;
        this.registration = registration;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Waits until another thread closes it. */
    public void awaitClosed() throws InterruptedException {
        closed.await();
    }

    /** Removes its sockets and ends; published volumes stay. */
    @Override
    public void close() {
        registration.close();
        csi.close();
        drivers.close();
        connection.close();
        time.close();
        closed.countDown();
    }

    /** The CSIDriver object is missing or wrong, so the adapter does not serve. */
    public static final class Refused extends RuntimeException {
        Refused(String message) {
            super(message);
        }
    }

    /** Options of an adapter. The name of the node is required. */
    public static final class Builder {

        private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");

        private @Nullable Config config;
        private String driver = DRIVER;
        private String node = "";
        private Path kubelet = Path.of("/var/lib/kubelet");
        private Duration patience = Duration.ofSeconds(90);

        private Builder() {}

        /** How to reach the API server; without it, as kubectl or a pod would. */
        public Builder client(Config value) {
            config = value;
            return this;
        }

        /** The name of the CSIDriver object, and of the driver in a pod's volume. */
        public Builder driver(String name) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("The driver's name " + InputText.quote(name)
                        + " must be at most 63 lower case letters, digits, dots and hyphens.");
            }
            driver = name;
            return this;
        }

        /** The node's name. */
        public Builder node(String name) {
            node = name;
            return this;
        }

        /** kubelet's folder, under the same path as kubelet sees it. */
        public Builder kubelet(Path folder) {
            kubelet = folder;
            return this;
        }

        /** How long the first call for a pod waits until access is granted, before it fails with the reason and kubelet retries. */
        public Builder patience(Duration value) {
            patience = value;
            return this;
        }

        /**
         * Starts to serve.
         *
         * @throws Refused if the CSIDriver is not there or not as it must be
         */
        public CosiAdapter start() throws InterruptedException {
            if (node.isBlank()) {
                throw new IllegalStateException("An adapter needs the node's name: call node(...)");
            }
            SystemTime time = new SystemTime();
            // By itself it only reads, and that is all that an adapter may.
            ApiConnection connection = new ApiConnection(
                    Optional.ofNullable(config).orElseGet(() -> Config.autoConfigure(null)),
                    time,
                    new SimpleMeterRegistry(),
                    UnaryOperator.identity());
            SharedIndexInformer<CSIDriver> drivers = connection
                    .reader()
                    .resources(CSIDriver.class)
                    .withName(driver)
                    .runnableInformer(0);
            try {
                drivers.exceptionHandler((_, _) -> true)
                        .start()
                        .toCompletableFuture()
                        .get(START.toSeconds(), TimeUnit.SECONDS);
                List<String> wrong = violations(drivers);
                if (!wrong.isEmpty()) {
                    throw new Refused("The CSIDriver " + driver + " is not as it must be: " + String.join("; ", wrong)
                            + ". Apply deploy/cosi-adapter.yaml.");
                }
                return serve(time, connection, drivers);
            } catch (ExecutionException | TimeoutException e) {
                drivers.close();
                connection.close();
                time.close();
                throw new IllegalStateException("The CSIDriver " + driver + " cannot be read", e);
            } catch (RuntimeException e) {
                drivers.close();
                connection.close();
                time.close();
                throw e;
            }
        }

        private CosiAdapter serve(SystemTime time, ApiConnection connection, SharedIndexInformer<CSIDriver> drivers) {
            SocketPath socket = new SocketPath(folder("plugins/" + driver).resolve("csi.sock"));
            SocketPath found = new SocketPath(folder("plugins_registry").resolve(driver + ".sock"));
            NodeService service = new NodeService(
                    node,
                    kubelet.resolve("pods"),
                    new TmpfsMounts(),
                    new BoundAccessWaiter(connection.reader(), patience),
                    () -> violations(drivers));
            SocketServer csi = SocketServer.start(socket, List.of(new IdentityService(driver), service));
            try {
                SocketServer registration = SocketServer.start(found, List.of(new RegistrationService(driver, socket)));
                return new CosiAdapter(time, connection, drivers, csi, registration);
            } catch (RuntimeException e) {
                csi.close();
                throw e;
            }
        }

        private Path folder(String name) {
            try {
                return Files.createDirectories(kubelet.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException("kubelet's folder " + kubelet + " cannot be used", e);
            }
        }

        private List<String> violations(SharedIndexInformer<CSIDriver> drivers) {
            return Optional.ofNullable(drivers.getStore().getByKey(driver))
                    .map(CsiDriverValidator::violations)
                    .orElseGet(() -> List.of("it does not exist"));
        }
    }
}
