package io.bucketwright.cosi.wire;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A gRPC server that only this process can call. It needs no socket, and loads none of the classes for one. */
public final class InProcessServer implements AutoCloseable {

    private final String name = InProcessServerBuilder.generateName();
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;

    private InProcessServer(List<BindableService> services) {
        InProcessServerBuilder builder =
                InProcessServerBuilder.forName(name).executor(calls).intercept(new GrpcLogging());
        services.forEach(builder::addService);
        server = builder.build();
    }

    /** Serves until it is closed. */
    public static InProcessServer start(List<BindableService> services) {
        InProcessServer started = new InProcessServer(services);
        try {
            started.server.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("The driver cannot be served in this process: " + e.getMessage(), e);
        }
    }

    /** A new channel to this server. Shut it down before the server is closed. */
    public ManagedChannel channel() {
        return InProcessChannelBuilder.forName(name).executor(calls).build();
    }

    @Override
    public void close() {
        server.shutdownNow();
        calls.shutdown();
    }
}
