package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Sends requests, and records what the responses say about the server. */
record RequestSender(ConnectionPool pool, ConnectionMonitor monitor) {

    /** A response whose body is not read yet. */
    record Exchange(HttpConnection connection, ResponseHead head, ResponseBody body) {

        void end(ConnectionPool pool) {
            if (body.isReusable()) {
                pool.release(connection);
            } else {
                connection.close();
            }
        }
    }

    /** How long a request waits for the head of its response, and for the end of it. */
    record Limits(ReadTimeout head, ReadTimeout whole) {}

    /**
     * The limits of a request, from now on. Nobody waits for a change longer than it may take effect; the response to a read
     * may take twice as long as its head.
     *
     * @param timeout zero for none
     */
    Limits limits(String method, Duration timeout) {
        if (timeout.isZero()) {
            return new Limits(
                    ReadTimeout.none(), ReadTimeout.silence(monitor.keepalive().silence()));
        }
        ReadTimeout head = ReadTimeout.within(timeout);
        return new Limits(head, method.equals("GET") ? ReadTimeout.within(timeout.plus(timeout)) : head);
    }

    /**
     * Sends a request and reads the whole response.
     *
     * @param original what the response refers to
     */
    HttpResponse<byte[]> exchange(HttpRequest original, EncodedRequest request, Limits limits) throws IOException {
        Exchange exchange = open(request, limits.head(), _ -> {});
        try {
            exchange.connection().timeout(limits.whole());
            return new BlockingResponse<>(
                    original, exchange.head(), exchange.body().readAll());
        } finally {
            exchange.end(pool);
        }
    }

    /**
     * Sends a request and reads the head of the response.
     *
     * @param opened receives the connection before it is used, to close it
     */
    Exchange open(EncodedRequest request, ReadTimeout timeout, Consumer<HttpConnection> opened) throws IOException {
        HttpConnection first = pool.acquire(request.address(), timeout);
        opened.accept(first);
        try {
            return send(first, request, timeout);
        } catch (SSLHandshakeException e) {
            // In TLS 1.3 a server rejects the certificate of a client after that has sent its request, and ignores it.
            if (!pool.isRenewed(first.tls())) {
                throw e;
            }
        } catch (IOException e) {
            // The server closed it in the moment in which it was used again. Only reads may be sent twice.
            if (e instanceof SocketTimeoutException
                    || !first.isReused()
                    || first.isAnswered()
                    || !request.method().equals("GET")
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
        }
        HttpConnection second = pool.connect(request.address(), timeout);
        opened.accept(second);
        return send(second, request, timeout);
    }

    private Exchange send(HttpConnection connection, EncodedRequest request, ReadTimeout timeout) throws IOException {
        boolean sent = false;
        try {
            connection.timeout(timeout);
            request.send(connection);
            ResponseHead head = connection.readHead();
            ResponseBody body = ResponseBody.of(connection, request.method(), head);
            recordActivity(request, head.code());
            sent = true;
            return new Exchange(connection, head, body);
        } catch (SocketTimeoutException e) {
            SocketTimeoutException late = new SocketTimeoutException(
                    "The server " + request.address().hostAndPort() + " did not answer in time");
            late.initCause(e);
            throw late;
        } finally {
            if (!sent) {
                connection.close();
            }
        }
    }

    private void recordActivity(EncodedRequest request, int code) {
        @Nullable TrackedWatch watch = request.watch();
        if (watch == null) {
            monitor.activity().responded();
        } else if (isWatch(request.uri()) && code == HttpURLConnection.HTTP_OK) {
            // The first bytes may be those of the first bookmark.
            watch.received(silenceAllowed(request.uri()));
        } else {
            watch.responded(code);
        }
    }

    /** Runs after each part of the body of a watch. */
    Runnable received(EncodedRequest request) {
        @Nullable TrackedWatch watch = request.watch();
        return watch == null || !isWatch(request.uri())
                ? () -> {}
                : () -> watch.received(silenceAllowed(request.uri()));
    }

    /** How long nothing may arrive in the middle of a response. */
    Duration silenceAllowed(URI uri) {
        Keepalive keepalive = monitor.keepalive();
        return isWatch(uri) ? keepalive.withoutPings() : keepalive.silence();
    }

    private static boolean isWatch(URI uri) {
        return uri.getRawQuery() != null && uri.getRawQuery().contains("watch=true");
    }
}
