package io.bucketwright.cosi.sidecar;

import io.bucketwright.cosi.sidecar.driver.DriverConnection;

import io.bucketwright.cosi.sidecar.driver.DriverCalls;

import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.store.errors.InputText;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sidecar in one process: serves the Buckets and BucketAccesses of one provisioner with the driver at one socket.
 *
 * {@snippet :
 * try (CosiSidecar sidecar = CosiSidecar.builder()
 *         .provisioner("store/s3.example.com")
 *         .driver("unix:///run/cosi/cosi.sock")
 *         .build()) {
 *     sidecar.run();
 * }
 * }
 */
public final class CosiSidecar implements AutoCloseable {

    private final ControllerProcess process;

    private CosiSidecar(ControllerProcess process) {
        this.process = process;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once; an API server or a driver that is away is waited for. */
    public CosiSidecar start() {
        ControllerProcess _ = process.start();
        return this;
    }

    /** Waits until objects are worked on, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        ControllerProcess _ = process.start();
        process.awaitClosed();
    }

    /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are. */
    public int port() {
        return process.port();
    }

    /** Finishes what is in work, gives the lease back, and ends. */
    @Override
    public void close() {
        process.close();
    }

    /** What a sidecar is told; only its provisioner and its driver are needed. */
    public static final class Builder extends ControllerBuilder<Builder> {

        private @Nullable Provisioner provisioner;
        private @Nullable SocketPath driver;
        private SidecarOptions options = SidecarOptions.standard();

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** The provisioner as classes name it: {@code <namespace>/<name>}. */
        public Builder provisioner(String text) {
            provisioner = Provisioner.of(text)
                    .orElseThrow(() -> new IllegalArgumentException("The provisioner " + InputText.quote(text)
                            + " must be <namespace>/<name>, such as store/s3.example.com."));
            return this;
        }

        /** The driver's socket, such as {@code unix:///run/cosi/cosi.sock}. */
        public Builder driver(String socket) {
            driver = SocketPath.parse(socket);
            return this;
        }

        /** How many objects of each kind are worked on at once. */
        public Builder workers(int value) {
            options = new SidecarOptions(
                    value, Math.max(1, value * 3 / 2), options.driverCall(), options.secretNamespaces());
            return this;
        }

        /** How long one call to the driver may take. */
        public Builder driverCall(Duration value) {
            options = new SidecarOptions(options.workers(), options.driverCalls(), value, options.secretNamespaces());
            return this;
        }

        /** Where provisioner secrets may be read, beside the provisioner's own namespace. */
        public Builder secretNamespaces(Set<String> value) {
            options = new SidecarOptions(options.workers(), options.driverCalls(), options.driverCall(), value);
            return this;
        }

        public CosiSidecar build() {
            Provisioner served = Optional.ofNullable(provisioner)
                    .orElseThrow(() -> new IllegalStateException("A sidecar needs a provisioner: call provisioner()"));
            SocketPath socket = Optional.ofNullable(driver)
                    .orElseThrow(() -> new IllegalStateException("A sidecar needs a driver: call driver(...)"));
            ControllerProcess process = open();
            ControllerContext parts = role(process, "bucketwright.io/cosi-sidecar");
            ManagedChannel channel = SocketChannels.open(socket);
            DriverCalls calls = new DriverCalls(
                    channel, served.name(), options.driverCall(), options.driverCalls(), parts.meters());
            DriverConnection link = new DriverConnection(channel, served, calls, parts.time());
            process.server().ready("driver", link::health);
            new SidecarControllers(parts, served, options, link, calls, process.clusterId())
                    .all()
                    .forEach(process::with);
            return new CosiSidecar(process.onStart(link::start).onClose(link::close));
        }
    }
}
