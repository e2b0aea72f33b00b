package io.bucketwright.store.http;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Sends requests within the limits of a {@link StoreCall}. What a response means is left to the store. */
public record LimitedTransport(Transport transport) implements AutoCloseable {

    /** A store, or a proxy in front of it, must not stop a claim for longer with one response. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    /**
     * Sends a request and returns any response.
     *
     * @param action completes the sentence "Could not …"
     * @param server names the receiver in the error
     * @throws Unavailable if there is no response
     */
    public HttpResponse<byte[]> send(StoreCall call, String action, String server, HttpRequest request) {
        return call.interruptible(() -> {
            try {
                return transport.send(request, call.remaining());
            } catch (IOException e) {
                throw new Unavailable(
                        "Could not " + action + ": " + tlsFailure(e, server).orElse(server + " does not respond."), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Unavailable("Could not " + action + ": the call was cancelled.", e);
            }
        });
    }

    @Override
    public void close() {
        transport.close();
    }

    /** What to check if a request failed because of TLS; empty if it failed for another reason. */
    public static Optional<String> tlsFailure(Throwable failure, String server) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(SSLException.class::isInstance)
                .findFirst()
                .map(_ ->
                        "the TLS handshake with " + server + " failed. Its endpoint must serve https with a certificate"
                                + " for that host, issued by an authority in the class's caBundle or in the trust store of this"
                                + " machine.");
    }

    /** What the header Retry-After requests, in seconds; none if it is empty. The other form, a date, is ignored. */
    public static Duration retryAfter(String header) {
        return header.matches("\\d{1,6}")
                ? Duration.ofSeconds(Math.min(Long.parseLong(header), LONGEST_WAIT.toSeconds()))
                : Duration.ZERO;
    }
}
