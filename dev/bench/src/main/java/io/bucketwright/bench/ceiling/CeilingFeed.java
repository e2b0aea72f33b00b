package io.bucketwright.bench.ceiling;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the process of the ceiling which objects exist, so that it needs no watch. */
public final class CeilingFeed implements AutoCloseable {

    private final ObjectMapper json = new ObjectMapper();
    private final ServerSocketChannel server;
    private @Nullable SocketChannel channel;
    private @Nullable OutputStream out;

    private CeilingFeed(ServerSocketChannel server) {
        this.server = server;
    }

    /** Listens on a socket; the process connects to it. */
    public static CeilingFeed listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        return new CeilingFeed(server);
    }

    /** Waits until the process has connected. */
    public void accept() throws IOException {
        SocketChannel accepted = server.accept();
        channel = accepted;
        out = Channels.newOutputStream(accepted);
    }

    /** Requests the writes for one object. */
    public synchronized void send(String name, boolean delete, List<CreatedObject> objects) {
        OutputStream connected = out;
        if (connected == null) {
            throw new IllegalStateException("the process of the ceiling has not connected");
        }
        try {
            String line = json.writeValueAsString(new ReplayRequest(name, delete, objects)) + "\n";
            connected.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandException("The process of the ceiling has exited.", e);
        }
    }

    @Override
    public void close() throws IOException {
        SocketChannel accepted = channel;
        if (accepted != null) {
            accepted.close();
        }
        server.close();
    }
}
