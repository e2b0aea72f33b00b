package io.bucketwright.cosi.bench;

import com.google.protobuf.Message;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.testing.CrashingClient;
import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A driver of any protocol in the process of the test, at a socket of its own. It records the requests. */
public abstract class StubDriver implements AutoCloseable {

    public final List<Message> requests = new CopyOnWriteArrayList<>();

    private final Path directory;
    private final SocketPath socket;
    private volatile Runnable afterEffect = () -> {};
    private @Nullable SocketServer server;

    protected StubDriver() {
        try {
            this.directory = Files.createTempDirectory("cosi");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.socket = new SocketPath(directory.resolve("cosi.sock"));
    }

    protected final void start(BindableService... services) {
        server = SocketServer.start(socket, List.of(services));
    }

    public final void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    public final String endpoint() {
        return socket.toString();
    }

    public final <T extends Message> List<T> asked(Class<T> request) {
        return requests.stream().filter(request::isInstance).map(request::cast).toList();
    }

    /** Runs after each call has taken effect and before it is answered; may throw a StatusRuntimeException. */
    public final void afterEffect(Runnable action) {
        afterEffect = action;
    }

    /** A client whose process crashes at this call: the driver has done its work, and nobody gets the response. */
    public final CrashingClient crashAfterCall(int fatal) {
        CrashingClient client = CrashingClient.onDemand();
        AtomicInteger calls = new AtomicInteger();
        afterEffect(() -> {
            if (client.died() || calls.incrementAndGet() == fatal) {
                client.crash();
                throw Status.UNAVAILABLE.asRuntimeException();
            }
        });
        return client;
    }

    protected final <R> void serve(Message request, StreamObserver<R> observer, Supplier<R> work) {
        requests.add(request);
        try {
            R answer = work.get();
            afterEffect.run();
            observer.onNext(answer);
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        }
    }

    @Override
    public final void close() {
        stop();
        try {
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
