package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.keepalive.ServerActivity;
import io.bucketwright.runtime.keepalive.WatchId;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;

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

    /**
     * Sends a request and reads the whole response.
     *
     * @param original what the response refers to
     * @param timeout until the head of the response; the whole response may take twice as long
     */
    HttpResponse<byte[]> exchange(HttpRequest original, EncodedRequest request, Duration timeout) throws IOException {
        boolean unlimited = timeout.isZero();
        ReadTimeout whole = unlimited
                ? ReadTimeout.silence(monitor.keepalive().silence())
                : ReadTimeout.within(timeout.plus(timeout));
        Exchange exchange = open(request, unlimited ? ReadTimeout.none() : ReadTimeout.within(timeout), _ -> {});
        try {
            exchange.connection().timeout(whole);
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
        ServerActivity activity = monitor.activity();
        if (!request.method().equals("GET")) {
            // A create has the address of the list: it says nothing about the watch.
            activity.responded();
        } else if (isWatch(request.uri()) && code == HttpURLConnection.HTTP_OK) {
            // The first bytes may be those of the first bookmark.
            activity.received(WatchId.of(request.uri()), silenceAllowed(request.uri()));
        } else {
            activity.responded(WatchId.of(request.uri()), code);
        }
    }

    /** Runs after each part of the body of a watch. */
    Runnable received(URI uri) {
        if (!isWatch(uri)) {
            return () -> {};
        }
        WatchId id = WatchId.of(uri);
        return () -> monitor.activity().received(id, silenceAllowed(uri));
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
