package io.bucketwright.cosi.adapter;

import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.store.errors.InputText;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.grpc.BindableService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The adapter of one node: a CSI driver for inline volumes that registers itself with kubelet. It only reads from the API
 * server. When its process is closed, the sockets are removed and published volumes stay.
 */
public final class CosiAdapter {

    /** The default name of the CSIDriver. */
    public static final String DRIVER = "cosi.bucketwright.io";

    private CosiAdapter() {}

    public static Builder builder() {
        return new Builder();
    }

    /** The CSIDriver object is missing or wrong, so the adapter does not serve. */
    public static final class Refused extends RuntimeException {
        Refused(String message) {
            super(message);
        }
    }

    /** Options of an adapter. The name of the node is required. The process throws {@link Refused} when it starts. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");
        private static final Duration START = Duration.ofSeconds(30);

        private String driver = DRIVER;
        private String node = "";
        private Path kubelet = Path.of("/var/lib/kubelet");
        private Duration patience = Duration.ofSeconds(90);

        private Builder() {
            super("bucketwright.io/cosi-adapter");
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

        /** kubelet's directory, under the same path as kubelet sees it. */
        public Builder kubelet(Path directory) {
            kubelet = directory;
            return this;
        }

        /** How long the first call for a pod waits until access is granted, before it fails with the reason and kubelet retries. */
        public Builder patience(Duration value) {
            patience = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            if (node.isBlank()) {
                throw new IllegalStateException("An adapter needs the node's name: call node(...)");
            }
            ObjectCache<CSIDriver> drivers = context.caches()
                    .unlimited(CSIDriver.class, Scope.everything().named(driver));
            Supplier<List<String>> violations = () -> drivers.get("", driver)
                    .map(CsiDriverValidator::violations)
                    .orElseGet(() -> List.of("it does not exist"));
            NodeService service = new NodeService(
                    node,
                    kubelet.resolve("pods"),
                    new VolumeMounts(kubelet.resolve("plugins").resolve(driver).resolve("volumes")),
                    new BoundAccessWaiter(context.caches(), patience),
                    new AccessSecretCheck(context.reader()),
                    violations);
            process.onStart(() -> serve(process, service, violations));
        }

        private void serve(ControllerProcess process, NodeService service, Supplier<List<String>> violations) {
            awaitCsiDriver(process);
            List<String> wrong = violations.get();
            if (!wrong.isEmpty()) {
                throw new Refused("The CSIDriver " + driver + " is invalid: " + String.join("; ", wrong)
                        + ". Apply deploy/cosi-adapter.yaml.");
            }
            SocketPath csi = new SocketPath(directory("plugins/" + driver).resolve("csi.sock"));
            SocketPath registration =
                    new SocketPath(directory("plugins_registry").resolve(driver + ".sock"));
            listen(process, csi, List.of(new IdentityService(driver), service));
            listen(process, registration, List.of(new RegistrationService(driver, csi)));
        }

        private void awaitCsiDriver(ControllerProcess process) {
            try {
                if (!process.awaitReady(START)) {
                    throw new IllegalStateException("The CSIDriver " + driver + " cannot be read");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The adapter is terminated before it serves", e);
            }
        }

        private static void listen(ControllerProcess process, SocketPath socket, List<BindableService> services) {
            process.onClose(SocketServer.start(socket, services)::close);
        }

        private Path directory(String name) {
            try {
                return Files.createDirectories(kubelet.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException("kubelet's directory " + kubelet + " cannot be used", e);
            }
        }
    }
}
