package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;

/** An open connection. One thread at a time reads it; it may be closed by any thread. */
final class HttpConnection implements Closeable {

    /** The head of a response may have that many bytes, as in Go's client. */
    static final int LARGEST_HEAD = 1 << 20;

    private static final int BUFFER = 8 * 1024;

    private final ServerAddress address;
    private final SSLContext tls;
    private final Socket carrier;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private ReadTimeout timeout = ReadTimeout.none();
    private Runnable onRead = () -> {};
    private Runnable onClose = () -> {};
    private boolean reused;
    private boolean answered;
    private long idleSinceNanos;
    private volatile long writes;
    private volatile boolean writing;
    private long seenWrite;
    private long seenSinceNanos;

    /**
     * Uses a connected socket.
     *
     * @param tls the certificates that were current when it was opened
     * @param carrier the TCP connection
     * @param socket its TLS layer, or the same socket
     */
    HttpConnection(ServerAddress address, SSLContext tls, Socket carrier, Socket socket) throws IOException {
        this.address = address;
        this.tls = tls;
        this.carrier = carrier;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    ServerAddress address() {
        return address;
    }

    SSLContext tls() {
        return tls;
    }

    /** Whether an earlier request used this connection. */
    boolean isReused() {
        return reused;
    }

    /** Whether any byte has arrived since the last request was sent. */
    boolean isAnswered() {
        return answered;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    void idle(long nowNanos) {
        reused = true;
        idleSinceNanos = nowNanos;
        timeout = ReadTimeout.none();
    }

    void timeout(ReadTimeout next) {
        timeout = next;
    }

    /** Runs that after each read of bytes. */
    void onRead(Runnable task) {
        onRead = task;
    }

    void onClose(Runnable task) {
        onClose = task;
    }

    /** Sends a request. */
    void send(byte[] request) throws IOException {
        answered = false;
        // Throws if nobody could wait for the response.
        int _ = timeout.millis();
        write(request);
    }

    /** Sends bytes; unlike all other methods it may be called while another thread reads. */
    void write(byte[] bytes) throws IOException {
        synchronized (out) {
            writes++;
            writing = true;
            try {
                out.write(bytes);
                out.flush();
            } finally {
                writing = false;
            }
        }
    }

    /**
     * Whether one and the same write lasts for longer than that, as far as the calls saw it, or than the response may take.
     * Sockets do not limit it.
     */
    boolean isStuck(long nowNanos, Duration allowed) {
        long current = writing ? writes : 0;
        if (current != seenWrite) {
            seenWrite = current;
            seenSinceNanos = nowNanos;
        }
        return current != 0 && (timeout.isOver() || ConnectionMonitor.isLonger(seenSinceNanos, nowNanos, allowed));
    }

    /** Reads the head of the response, after those that are only informational. */
    ResponseHead readHead() throws IOException {
        int left = LARGEST_HEAD;
        while (true) {
            byte[] head = new byte[1024];
            int length = 0;
            for (int line = 0; ; ) {
                int next = read();
                if (next < 0) {
                    throw new EOFException("The server closed the connection instead of answering");
                }
                if (left-- == 0) {
                    throw new IOException("The headers of the response are longer than " + LARGEST_HEAD + " bytes");
                }
                if (length == head.length) {
                    head = Arrays.copyOf(head, 2 * length);
                }
                head[length++] = (byte) next;
                if (next == '\n') {
                    if (line == 0) {
                        break;
                    }
                    line = 0;
                } else if (next != '\r') {
                    line++;
                }
            }
            ResponseHead parsed = ResponseHead.parse(head, length);
            if (parsed.code() >= 200 || parsed.code() == 101) {
                return parsed;
            }
        }
    }

    /** Reads one byte, -1 at the end. */
    int read() throws IOException {
        return position < limit || fill() ? buffer[position++] & 0xff : -1;
    }

    /** Reads at least one byte, or returns -1 at the end. */
    int read(byte[] into, int offset, int length) throws IOException {
        if (position == limit && length >= BUFFER) {
            return receive(into, offset, length);
        }
        if (position == limit && !fill()) {
            return -1;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(buffer, position, into, offset, count);
        position += count;
        return count;
    }

    private boolean fill() throws IOException {
        int count = receive(buffer, 0, BUFFER);
        position = 0;
        limit = Math.max(0, count);
        return count > 0;
    }

    private int receive(byte[] into, int offset, int length) throws IOException {
        socket.setSoTimeout(timeout.millis());
        int count = in.read(into, offset, length);
        if (count > 0) {
            answered = true;
            onRead.run();
        }
        return count;
    }

    /**
     * Whether nothing was received since the last response. The server closes a connection that is idle for too long, and
     * then a request must not be sent: nobody could tell whether it took effect.
     */
    boolean isQuiet() {
        if (position < limit) {
            return false;
        }
        try {
            SocketChannel channel = carrier.getChannel();
            return channel == null ? isSilent() : isEmpty(channel);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isEmpty(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        try {
            return channel.read(ByteBuffer.allocate(1)) == 0;
        } finally {
            channel.configureBlocking(true);
        }
    }

    private boolean isSilent() throws IOException {
        carrier.setSoTimeout(1);
        try {
            carrier.getInputStream().read();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    boolean hasUnreadBytes() {
        return position < limit;
    }

    @Override
    public void close() {
        // Not the TLS layer: it would wait for a thread that writes, and send a farewell that nobody may receive.
        try {
            carrier.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
        onClose.run();
    }
}
