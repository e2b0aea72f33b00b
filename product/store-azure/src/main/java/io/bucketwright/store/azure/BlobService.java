package io.bucketwright.store.azure;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.LimitedTransport;
import io.bucketwright.store.http.Transport;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The Blob service of one storage account: signs requests, sends them within the limits of a call and translates errors. */
record BlobService(String serviceUrl, SharedKey key, LimitedTransport transport) implements AutoCloseable {

    /** The fixed form of RFC 1123: English names, and always two digits for the day of the month. */
    static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    private static final String XML = "application/xml";

    /** Every response of Azure has this header. Without it, something else responded. */
    private static final String REQUEST_ID = "x-ms-request-id";

    private static final int FIRST_ERROR = 300;

    BlobService(String serviceUrl, SharedKey key, Transport transport) {
        this(serviceUrl, key, new LimitedTransport(transport));
    }

    /**
     * Sends a request.
     *
     * @throws StoreException if there is no response, or the response is an error
     */
    HttpResponse<byte[]> send(StoreCall call, BlobRequest request) {
        HttpResponse<byte[]> response = exchange(call, request);
        require(request, response);
        return response;
    }

    /**
     * Sends a request and returns also an error response.
     *
     * @throws Unavailable if there is no response
     */
    HttpResponse<byte[]> exchange(StoreCall call, BlobRequest request) {
        return transport.send(call, request.action(), "the store", signed(request));
    }

    /**
     * Checks that a response is not an error.
     *
     * @throws StoreException if it is
     */
    void require(BlobRequest request, HttpResponse<byte[]> response) {
        if (response.statusCode() >= FIRST_ERROR) {
            throw BlobErrors.translate(request.action(), response);
        }
        if (response.headers().firstValue(REQUEST_ID).isEmpty()) {
            throw BlobErrors.notTheStore(request.action(), response.statusCode());
        }
    }

    @Override
    public void close() {
        transport.close();
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%7E", "~");
    }

    private HttpRequest signed(BlobRequest request) {
        byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
        String type = body.length == 0 ? "" : XML;
        SortedMap<String, String> headers = new TreeMap<>(request.headers());
        headers.put("x-ms-date", HTTP_DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
        headers.put("x-ms-version", SharedKey.VERSION);
        String query = request.query().entrySet().stream()
                .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
        URI uri = URI.create(serviceUrl + request.path() + (query.isEmpty() ? "" : "?" + query));
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                .method(
                        request.method(),
                        body.length == 0 && !request.method().equals("PUT")
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(body));
        headers.forEach(builder::header);
        if (!type.isEmpty()) {
            builder.header("Content-Type", type);
        }
        return builder.header(
                        "Authorization",
                        key.authorization(
                                request.method(), uri.getRawPath(), request.query(), headers, body.length, type))
                .build();
    }
}
