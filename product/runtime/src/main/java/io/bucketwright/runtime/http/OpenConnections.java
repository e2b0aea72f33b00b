package io.bucketwright.runtime.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that are open at the same time, up to a limit. One more closes the oldest connection of the address that
 * has the most. So a client that holds many connections closes its own, and never the only one of the kubelet.
 */
final class OpenConnections {

    /**
     * A connection of a client. Closing it ends the thread that serves it, whatever that does.
     *
     * @param nanos when it was accepted
     */
    record Connection(Socket socket, InetAddress client, long nanos) implements Closeable {

        boolean isOpen() {
            return !socket.isClosed();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                log.debug("Closing a connection of {}: {}", client, e.getMessage());
            }
        }
    }

    private static final Logger log = LoggerFactory.getLogger(OpenConnections.class);

    private final int limit;
    /** The oldest first. */
    private final Set<Connection> open = new LinkedHashSet<>();

    OpenConnections(int limit) {
        this.limit = limit;
    }

    synchronized void add(Connection connection) {
        open.removeIf(other -> !other.isOpen());
        if (open.size() >= limit) {
            Connection surplus = surplus();
            open.remove(surplus);
            surplus.close();
        }
        open.add(connection);
    }

    synchronized void remove(Connection connection) {
        open.remove(connection);
    }

    synchronized Optional<Connection> oldest() {
        return open.stream().findFirst();
    }

    synchronized void closeAll() {
        open.forEach(Connection::close);
        open.clear();
    }

    private Connection surplus() {
        Map<InetAddress, Long> counts =
                open.stream().collect(Collectors.groupingBy(Connection::client, Collectors.counting()));
        // Of several with the highest count, the reduction keeps the first, which is the oldest.
        Function<Connection, Long> count = connection -> counts.getOrDefault(connection.client(), 0L);
        return open.stream()
                .min(Comparator.comparing(count).reversed())
                .orElseThrow(() -> new IllegalStateException("The limit of connections must be positive"));
    }
}
