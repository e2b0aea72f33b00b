package io.bucketwright.store.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The part of S3 that empties a bucket, for more objects than a store on this machine holds in a test. It refuses requests
 * that S3 refuses, and writes down how many requests and keys are in flight.
 */
final class FullBucketServer implements AutoCloseable {

    private static final int MOST = 1_000;
    private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

    /** The error of each version that cannot be deleted, by key; empty if it can. */
    final NavigableMap<String, String> objects = new ConcurrentSkipListMap<>();
    /** Errors that a version causes once. */
    final Map<String, String> once = new ConcurrentSkipListMap<>();

    final NavigableSet<String> uploads = new ConcurrentSkipListSet<>();

    /** The prefix of objects and uploads that fill pages but are not in them, as deleted ones in the index of some stores. */
    static final String HIDDEN = "hidden";

    /** Changes where the list of versions continues. */
    volatile UnaryOperator<String> nextKey = UnaryOperator.identity();

    final List<String> violations = new CopyOnWriteArrayList<>();
    final AtomicInteger lists = new AtomicInteger();
    final AtomicInteger deletions = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    final AtomicInteger mostInFlight = new AtomicInteger();
    final AtomicInteger mostKeys = new AtomicInteger();
    /** Acknowledges deletions and does not carry them out. */
    volatile boolean forgetful;

    volatile Runnable beforeDeletion = () -> {};

    private final HttpServer server;
    final S3Client client;

    FullBucketServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::respond);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        client = S3Client.builder()
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")))
                .build();
    }

    private void respond(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> query = query(exchange.getRequestURI());
        String request = exchange.getRequestMethod();
        boolean changes = !request.equals("GET");
        int now = changes ? inFlight.incrementAndGet() : inFlight.get();
        try {
            String response;
            if (request.equals("GET")) {
                if (now > 0) {
                    violations.add("a page is listed before the last one is deleted: " + now + " requests in flight");
                }
                lists.incrementAndGet();
                response = query.containsKey("versions") ? versions(query) : uploads(query);
            } else {
                mostInFlight.accumulateAndGet(now, Math::max);
                beforeDeletion.run();
                response = request.equals("POST") ? delete(body) : abort(query);
            }
            byte[] bytes = response.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/xml");
            if (changes) {
                // Before the response: the client lists the next page as soon as it has it.
                inFlight.decrementAndGet();
            }
            exchange.sendResponseHeaders(bytes.length == 0 ? 204 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } finally {
            exchange.close();
        }
    }

    private String versions(Map<String, String> query) {
        int limit = limit(query.getOrDefault("max-keys", "1000"));
        String marker = query.getOrDefault("key-marker", "");
        List<String> keys = objects.tailMap(marker, false).keySet().stream()
                .limit(limit + 1L)
                .toList();
        boolean truncated = keys.size() > limit;
        StringBuilder xml = new StringBuilder("<ListVersionsResult><IsTruncated>" + truncated + "</IsTruncated>");
        List<String> page = truncated ? keys.subList(0, limit) : keys;
        mostKeys.accumulateAndGet(visible(page).size(), Math::max);
        for (String key : visible(page)) {
            // Every third one is a delete marker.
            String kind = key.hashCode() % 3 == 0 ? "DeleteMarker" : "Version";
            xml.append("<").append(kind).append("><Key>").append(key).append("</Key><VersionId>v1</VersionId></");
            xml.append(kind).append(">");
        }
        if (truncated) {
            xml.append(next(nextKey.apply(page.getLast())));
            xml.append("<NextVersionIdMarker>v1</NextVersionIdMarker>");
        }
        return xml.append("</ListVersionsResult>").toString();
    }

    private String uploads(Map<String, String> query) {
        int limit = limit(query.getOrDefault("max-uploads", "1000"));
        List<String> keys = uploads.tailSet(query.getOrDefault("key-marker", ""), false).stream()
                .limit(limit + 1L)
                .toList();
        boolean truncated = keys.size() > limit;
        List<String> page = truncated ? keys.subList(0, limit) : keys;
        StringBuilder xml =
                new StringBuilder("<ListMultipartUploadsResult><IsTruncated>" + truncated + "</IsTruncated>");
        visible(page)
                .forEach(key -> xml.append("<Upload><Key>")
                        .append(key)
                        .append("</Key><UploadId>")
                        .append(key)
                        .append("</UploadId></Upload>"));
        if (truncated) {
            xml.append(next(page.getLast()));
            xml.append("<NextUploadIdMarker>").append(page.getLast()).append("</NextUploadIdMarker>");
        }
        return xml.append("</ListMultipartUploadsResult>").toString();
    }

    private List<String> visible(List<String> page) {
        return page.stream().filter(key -> !key.startsWith(HIDDEN)).toList();
    }

    private static String next(String marker) {
        return "<NextKeyMarker>" + marker + "</NextKeyMarker>";
    }

    private int limit(String text) {
        int limit = Integer.parseInt(text);
        if (limit > MOST) {
            violations.add("a page of " + limit);
        }
        return limit;
    }

    private String delete(String body) {
        deletions.incrementAndGet();
        StringBuilder xml = new StringBuilder("<DeleteResult>");
        int count = 0;
        for (Matcher keys = KEY.matcher(body); keys.find(); ) {
            count++;
            String key = keys.group(1);
            String transientError = once.getOrDefault(key, "");
            String error = transientError.isEmpty() ? objects.getOrDefault(key, "") : transientError;
            once.remove(key);
            if (!error.isEmpty()) {
                xml.append("<Error><Key>")
                        .append(key)
                        .append("</Key><Code>")
                        .append(error)
                        .append("</Code></Error>");
            } else if (!forgetful) {
                objects.remove(key);
            }
        }
        if (count == 0 || count > MOST) {
            violations.add("a deletion of " + count);
        }
        return xml.append("</DeleteResult>").toString();
    }

    private String abort(Map<String, String> query) {
        if (!forgetful && !uploads.remove(query.getOrDefault("uploadId", ""))) {
            violations.add("an upload is aborted twice");
        }
        return "";
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        for (String pair : String.valueOf(uri.getRawQuery()).split("&", -1)) {
            int equals = pair.indexOf('=');
            query.put(
                    equals < 0 ? pair : pair.substring(0, equals),
                    equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
