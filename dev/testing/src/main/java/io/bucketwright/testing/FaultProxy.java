package io.bucketwright.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * An HTTP proxy to one server that answers some requests with an error, late, or with half a response. {@link SocketProxy}
 * does to connections what this does to requests.
 */
public final class FaultProxy implements AutoCloseable {

    private record Once(String firstLine, HttpFault fault) {}

    private final ServerSocket entry;
    private final SocketFactory sockets;
    private final URI target;
    private final AtomicReference<Optional<SSLContext>> tls;
    private final boolean clientCertificates;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private final List<HttpFault> injected = new CopyOnWriteArrayList<>();
    private final AtomicLong counted = new AtomicLong();
    private final AtomicReference<Optional<Once>> once = new AtomicReference<>(Optional.empty());
    private volatile int every = 1;
    private volatile List<HttpFault> faults = List.of();

    private FaultProxy(URI target, SocketFactory sockets, Optional<SSLContext> tls, boolean clientCertificates) {
        this.target = target;
        this.sockets = sockets;
        this.tls = new AtomicReference<>(tls);
        this.clientCertificates = clientCertificates;
        try {
            this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** A proxy to a server without TLS. */
    public static FaultProxy to(String url) {
        return new FaultProxy(URI.create(url), SocketFactory.getDefault(), Optional.empty(), false);
    }

    /** A proxy to a server without TLS that serves https itself, with this certificate. */
    public static FaultProxy tls(String url, SSLContext certificate) {
        return new FaultProxy(URI.create(url), SocketFactory.getDefault(), Optional.of(certificate), false);
    }

    /** A proxy to the API server. It has the certificate of the user; see {@link #config}. */
    public static FaultProxy to(ApiUser user) {
        return to(user, Optional.empty(), false);
    }

    /** As {@link #to(ApiUser)}, with TLS of its own: clients need a certificate that this one trusts. */
    public static FaultProxy to(ApiUser user, SSLContext certificate) {
        return to(user, Optional.of(certificate), true);
    }

    private static FaultProxy to(ApiUser user, Optional<SSLContext> tls, boolean clientCertificates) {
        Config config = user.config();
        try {
            return new FaultProxy(
                    URI.create(config.getMasterUrl()),
                    SSLUtils.sslContext(config).getSocketFactory(),
                    tls,
                    clientCertificates);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The URL of the proxy. */
    public String url() {
        return (tls.get().isPresent() ? "https" : "http") + "://127.0.0.1:" + entry.getLocalPort();
    }

    /** The configuration of a client that reaches the API server through this proxy. */
    public Config config() {
        return new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl(url())
                .build();
    }

    /** New connections get this certificate, as after the renewal at a real server. */
    public void replaceCertificate(SSLContext certificate) {
        tls.set(Optional.of(certificate));
    }

    /** Closes all connections. */
    public void disconnect() {
        connections.forEach(FaultProxy::end);
    }

    /** From now on one of so many requests meets a fault, each time the next one of the list. */
    public void inject(int oneOf, HttpFault... cycle) {
        every = oneOf;
        faults = List.of(cycle);
    }

    /** The next request whose first line begins like this meets a fault. */
    public void injectOnce(String firstLine, HttpFault fault) {
        once.set(Optional.of(new Once(firstLine, fault)));
    }

    /** Ends the faults. */
    public void restore() {
        faults = List.of();
    }

    /** How many requests were received so far. */
    public long requests() {
        return requests.get();
    }

    /** The faults so far, in order. */
    public List<HttpFault> injected() {
        return List.copyOf(injected);
    }

    @Override
    public void close() {
        end(entry);
        disconnect();
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket near = entry.accept();
                start(() -> serve(near));
            } catch (IOException e) {
                // The condition of the loop shows whether this proxy was closed.
            }
        }
    }

    /** Not a virtual thread: busy clients in the same process would hold up their own responses. */
    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().start(task);
    }

    private void serve(Socket accepted) {
        connections.add(accepted);
        try (Socket near = secured(accepted);
                Socket far = sockets.createSocket(target.getHost(), target.getPort())) {
            InputStream in = new BufferedInputStream(near.getInputStream());
            InputStream answers = new BufferedInputStream(far.getInputStream());
            boolean open = true;
            while (open) {
                open = exchange(in, near.getOutputStream(), answers, far.getOutputStream());
            }
        } catch (IOException e) {
            // One end is closed; the other is closed too.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(accepted);
        }
    }

    /** A failed handshake is an IOException at the first byte. */
    private Socket secured(Socket accepted) throws IOException {
        Optional<SSLContext> certificate = tls.get();
        if (certificate.isEmpty()) {
            return accepted;
        }
        SSLSocket socket = (SSLSocket)
                certificate.get().getSocketFactory().createSocket(accepted, "127.0.0.1", accepted.getPort(), true);
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(clientCertificates);
        return socket;
    }

    /** Serves one request; false if the connection ends with it. */
    private boolean exchange(InputStream in, OutputStream out, InputStream answers, OutputStream far)
            throws IOException, InterruptedException {
        Optional<HttpHead> head = HttpHead.read(in);
        if (head.isEmpty()) {
            return false;
        }
        if (!head.get().header("expect").isEmpty()) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
        byte[] body = head.get().readBody(in);
        Optional<HttpFault> fault = next(head.get());
        if (fault.orElse(null) instanceof HttpFault.Status status) {
            out.write(response(status));
            out.flush();
            return true;
        }
        if (fault.orElse(null) instanceof HttpFault.Held(CountDownLatch until)) {
            until.await();
        }
        far.write(head.get().without("expect").bytes());
        far.write(body);
        far.flush();
        Optional<HttpHead> answer = HttpHead.read(answers);
        if (answer.isEmpty()) {
            return false;
        }
        if (fault.orElse(null) instanceof HttpFault.Late(long millis)) {
            Thread.sleep(millis);
        }
        boolean cut = fault.orElse(null) instanceof HttpFault.Cut;
        if (answer.get().code() == 101) {
            out.write(answer.get().bytes());
            out.flush();
            if (!cut) {
                start(() -> copy(in, far));
                answers.transferTo(out);
            }
            return false;
        }
        boolean bodiless = head.get().firstLine().startsWith("HEAD ");
        if (cut) {
            byte[] content = bodiless ? new byte[0] : answer.get().readBody(answers);
            byte[] bytes = answer.get().bytes();
            out.write(bytes, 0, content.length < 2 ? bytes.length / 2 : bytes.length);
            out.write(content, 0, content.length / 2);
            out.flush();
            return false;
        }
        out.write(answer.get().bytes());
        if (!bodiless) {
            answer.get().copyBody(answers, out);
        }
        out.flush();
        return true;
    }

    private Optional<HttpFault> next(HttpHead head) {
        requests.incrementAndGet();
        Optional<Once> pending = once.get();
        if (pending.filter(it -> head.firstLine().startsWith(it.firstLine())).isPresent()
                && once.compareAndSet(pending, Optional.empty())) {
            injected.add(pending.get().fault());
            return pending.map(Once::fault);
        }
        List<HttpFault> cycle = faults;
        if (cycle.isEmpty() || counted.incrementAndGet() % every != 0) {
            return Optional.empty();
        }
        synchronized (injected) {
            HttpFault fault = cycle.get(injected.size() % cycle.size());
            injected.add(fault);
            return Optional.of(fault);
        }
    }

    private static byte[] response(HttpFault.Status status) {
        String reason = "The proxy of the test answers " + status.code();
        return ("HTTP/1.1 " + status.code() + " Fault\r\nContent-Type: text/plain\r\nContent-Length: " + reason.length()
                        + (status.retryAfter().isEmpty() ? "" : "\r\nRetry-After: " + status.retryAfter())
                        + "\r\n\r\n" + reason)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void copy(InputStream in, OutputStream out) {
        try (in;
                out) {
            byte[] buffer = new byte[8192];
            int length = in.read(buffer);
            while (length >= 0) {
                out.write(buffer, 0, length);
                out.flush();
                length = in.read(buffer);
            }
        } catch (IOException e) {
            // One end is closed; the other is closed too.
        }
    }

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
