package io.bucketwright.store.gcs;

import io.bucketwright.store.http.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Makes up for two things that the emulator does unlike the service. It leaves out the body of a 404, without which a 404 proves
 * nothing, and it closes connections without saying so.
 */
record EmulatorTransport(Transport emulator) implements Transport {

    private static final String ABSENT = "{\"error\":{\"code\":404,\"errors\":[{\"reason\":\"notFound\"}]}}";

    @Override
    public HttpResponse<byte[]> send(HttpRequest request, Duration remaining) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = onNewConnection(request, remaining);
        return response.statusCode() == 404 && response.body().length == 0 ? new Absent(response) : response;
    }

    private HttpResponse<byte[]> onNewConnection(HttpRequest request, Duration remaining)
            throws IOException, InterruptedException {
        while (true) {
            try {
                return emulator.send(request, remaining);
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains("received no bytes")) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        emulator.close();
    }

    private record Absent(HttpResponse<byte[]> response) implements HttpResponse<byte[]> {
        @Override
        public int statusCode() {
            return response.statusCode();
        }

        @Override
        public HttpRequest request() {
            return response.request();
        }

        @Override
        public Optional<HttpResponse<byte[]>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public HttpHeaders headers() {
            return response.headers();
        }

        @Override
        public byte[] body() {
            return ABSENT.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return response.uri();
        }

        @Override
        public HttpClient.Version version() {
            return response.version();
        }
    }
}
