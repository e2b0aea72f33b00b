package io.bucketwright.cosi.vendors;

import io.bucketwright.cosi.wire.SocketPath;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandler;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A gRPC server on a UNIX socket that can end as if its process were killed, and start again. */
final class RestartableServer implements AutoCloseable {

    private final Path path;
    private final List<BindableService> services;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final List<IoHandler> handlers = new CopyOnWriteArrayList<>();
    private EventLoopGroup loops;
    private Server server;

    RestartableServer(Path path, List<BindableService> services) {
        this.path = path;
        this.services = List.copyOf(services);
        this.loops = newLoops();
        this.server = started();
    }

    SocketPath socket() {
        return new SocketPath(path);
    }

    /** Ends all connections without an answer and serves again. */
    synchronized void restart() {
        kill();
        loops = newLoops();
        server = started();
    }

    @Override
    public synchronized void close() {
        server.shutdownNow();
        kill();
        calls.shutdownNow();
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EventLoopGroup newLoops() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(1, executor -> {
            IoHandler handler = factory.newHandler(executor);
            handlers.add(handler);
            return handler;
        });
    }

    private Server started() {
        try {
            Files.deleteIfExists(path);
            NettyServerBuilder builder = NettyServerBuilder.forAddress(new DomainSocketAddress(path.toString()))
                    .channelType(EpollServerDomainSocketChannel.class)
                    .bossEventLoopGroup(loops)
                    .workerEventLoopGroup(loops)
                    .executor(calls);
            services.forEach(builder::addService);
            return builder.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends the connections without a word: a server that is shut down would still send the end of each call. A loop that is shut
     * down at once leaves them open if it runs a task at that moment, and a client waits for its answer until the deadline.
     */
    private void kill() {
        try {
            loops.next().submit(handlers.getLast()::prepareToDestroy).await(5, TimeUnit.SECONDS);
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
