package io.bucketwright.cosi.wire;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC server on a UNIX socket for its owner and group. The socket is created under another name, gets its permissions,
 * and is then moved to its path, so that nobody can open it before it is ready. A socket of a process that no longer exists
 * is replaced; a socket in use, or a file that is not a socket, is not touched.
 */
public final class SocketServer implements AutoCloseable {

    private static final String RIGHTS = "rw-rw----";
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** For the last messages of connections that are being closed. */
    private static final Duration QUIET = Duration.ofMillis(50);

    private final SocketPath socket;
    private final Object fileKey;
    private final Server server;
    private final EventLoopGroup loops;
    private final ExecutorService calls;

    private SocketServer(
            SocketPath socket, Object fileKey, Server server, EventLoopGroup loops, ExecutorService calls) {
        this.socket = socket;
        this.fileKey = fileKey;
        this.server = server;
        this.loops = loops;
        this.calls = calls;
    }

    /**
     * Serves until it is closed.
     *
     * @throws SocketInUse if the socket is in use, or the file is not a socket
     * @throws UncheckedIOException if the socket cannot be created
     */
    public static SocketServer start(SocketPath socket, List<BindableService> services) {
        requireFree(socket);
        Path unready = socket.path()
                .resolveSibling("." + socket.path().getFileName() + "."
                        + Long.toString(System.nanoTime() & 0xFFFFFF, Character.MAX_RADIX));
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new DomainSocketAddress(unready.toString()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .executor(calls)
                .intercept(new GrpcLogging());
        services.forEach(builder::addService);
        Server server = builder.build();
        try {
            server.start();
            Files.setPosixFilePermissions(unready, PosixFilePermissions.fromString(RIGHTS));
            Object fileKey = fileKey(unready).orElseThrow();
            Files.move(unready, socket.path(), StandardCopyOption.ATOMIC_MOVE);
            return new SocketServer(socket, fileKey, server, loops, calls);
        } catch (IOException e) {
            server.shutdownNow();
            var _ = loops.shutdownGracefully(QUIET.toMillis(), GRACE.toMillis(), TimeUnit.MILLISECONDS);
            calls.close();
            throw new UncheckedIOException("The socket " + socket + " cannot be served: " + e.getMessage(), e);
        }
    }

    public SocketPath socket() {
        return socket;
    }

    /** Waits until the server is closed. */
    public void awaitClosed() throws InterruptedException {
        server.awaitTermination();
    }

    /** Accepts no more calls, waits for those in flight, and removes the socket unless another server replaced it. */
    @Override
    public void close() {
        server.shutdown();
        try {
            if (fileKey(socket.path()).filter(fileKey::equals).isPresent()) {
                Files.deleteIfExists(socket.path());
            }
            if (!server.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow().awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The socket " + socket + " cannot be removed.", e);
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            var _ = loops.shutdownGracefully(QUIET.toMillis(), GRACE.toMillis(), TimeUnit.MILLISECONDS);
            calls.shutdown();
        }
    }

    private static void requireFree(SocketPath socket) {
        Path path = socket.path();
        Path directory = path.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw new UncheckedIOException(
                    "The directory of the socket " + socket + " does not exist. Create it: mkdir -p " + directory,
                    new NoSuchFileException(directory.toString()));
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw new SocketInUse(path + " exists and is not a socket. Remove it, or use another path.");
            }
            try (SocketChannel attempt = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                attempt.connect(UnixDomainSocketAddress.of(path));
                throw new SocketInUse(
                        "The socket " + socket + " is in use by another process. Stop it, or use another socket.");
            }
        } catch (ConnectException nobodyAnswers) {
            // Of a process that no longer exists; the new socket replaces it.
        } catch (IOException e) {
            throw new UncheckedIOException("The socket " + socket + " cannot be checked: " + e.getMessage(), e);
        }
    }

    private static Optional<Object> fileKey(Path path) throws IOException {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                ? Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey())
                : Optional.empty();
    }

    /** The path of the socket is in use. */
    public static final class SocketInUse extends RuntimeException {
        SocketInUse(String message) {
            super(message);
        }
    }
}
