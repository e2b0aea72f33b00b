package io.bucketwright.store.azure;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.http.HttpTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The deletion of blobs that Azurite does not have: protected ones, and directories of a hierarchical namespace. */
final class ContainerContentsTest {

    private static final BucketName BUCKET = new BucketName("photos");
    private static final String DELETABLE = "";
    private static final String PROTECTED = "BlobImmutableDueToPolicy";
    private static final String DIRECTORY = "directory";
    private static final Pattern MARKER = Pattern.compile("marker=([^&]*)");
    private static final Pattern LIMIT = Pattern.compile("maxresults=(\\d+)");

    /** The names of blobs, and why they cannot be deleted. */
    private final NavigableMap<String, String> blobs = new ConcurrentSkipListMap<>();

    private final AtomicInteger largestPage = new AtomicInteger();
    private final HttpServer server;
    private final ContainerContents contents;

    ContainerContentsTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().add("x-ms-request-id", "1");
                if (exchange.getRequestMethod().equals("GET")) {
                    list(exchange);
                } else {
                    delete(exchange);
                }
            }
        });
        server.start();
        AzureParameters parameters = AzureParameters.of(AzureParameters.schema()
                .parse(Map.of(
                        "storageAccount",
                        "account",
                        "pathStyle",
                        "false",
                        "endpoint",
                        "http://127.0.0.1:" + server.getAddress().getPort())));
        contents = new ContainerContents(new BlobService(
                parameters.serviceUrl(),
                new SharedKey("account", SecretValue.of("c2VjcmV0")),
                new HttpTransport(parameters.connection())));
    }

    @AfterEach
    void stop() {
        contents.service().close();
        server.stop(0);
    }

    @Test
    void blobsBehindProtectedOnesAreDeletedAndWhatIsLeftIsReported() {
        for (int number = 100; number < 400; number++) {
            blobs.put("blob-" + number, number % 100 == 0 ? PROTECTED : DELETABLE);
        }
        assertThatThrownBy(this::deleteAll)
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("The container photos holds blobs that cannot be deleted. One is \"blob-")
                .hasMessageContaining(PROTECTED)
                .hasMessageContaining("legal hold or a retention policy");
        assertThat(blobs.keySet()).containsExactly("blob-100", "blob-200", "blob-300");
        blobs.replaceAll((_, _) -> DELETABLE);
        deleteAll();
        assertThat(blobs).isEmpty();
    }

    @Test
    void directoriesAreDeletedAfterTheirContents() {
        for (String directory : new String[] {"a", "a/b", "a/b/c", "empty"}) {
            blobs.put(directory, DIRECTORY);
        }
        for (int number = 100; number < 400; number++) {
            blobs.put("a/b/c/" + number, DELETABLE);
        }
        deleteAll();
        assertThat(blobs).isEmpty();
    }

    @Test
    void usageIsMeasuredInPagesThatFitIntoMemory() {
        for (int number = 0; number < 2_500; number++) {
            blobs.put("blob-" + number, DELETABLE);
        }
        assertThat(contents.usage(call(), BUCKET)).isEqualTo(new Usage(2_500, 2_500, true));
        assertThat(largestPage).hasValue(1_000);
    }

    /** A call that would end in the middle of the list returns what it has counted. */
    @Test
    void usageThatDoesNotEndInTimeIsALowerBound() {
        for (int number = 0; number < 2_500; number++) {
            blobs.put("blob-" + number, DELETABLE);
        }
        assertThat(contents.usage(StoreCall.within(Duration.ofMillis(1_900)), BUCKET))
                .isEqualTo(new Usage(1_000, 1_000, false));
    }

    /** As a controller does. */
    private void deleteAll() {
        while (contents.deleteSlice(call(), BUCKET) instanceof Progress.More more) {
            assertThat(more.removed()).isPositive();
        }
    }

    private void list(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        Matcher marker = MARKER.matcher(query);
        Matcher limit = LIMIT.matcher(query);
        String from = marker.find() ? marker.group(1) : "";
        int left = limit.find() ? Integer.parseInt(limit.group(1)) : 0;
        largestPage.accumulateAndGet(left, Math::max);
        String next = "";
        StringBuilder xml = new StringBuilder("<EnumerationResults><Blobs>");
        for (String name : blobs.tailMap(from).keySet()) {
            if (left-- == 0) {
                next = name;
                break;
            }
            xml.append("<Blob><Name>")
                    .append(name)
                    .append("</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>");
        }
        xml.append("</Blobs><NextMarker>").append(next).append("</NextMarker></EnumerationResults>");
        byte[] body = xml.toString().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private void delete(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring("/photos/".length());
        String kind = blobs.getOrDefault(name, "BlobNotFound");
        boolean snapshots = exchange.getRequestHeaders().containsKey("x-ms-delete-snapshots");
        switch (kind) {
            case DELETABLE -> blobs.remove(name);
            case DIRECTORY -> {
                if (snapshots) {
                    respond(exchange, 400, "OperationNotSupportedOnDirectory");
                    return;
                }
                if (!blobs.subMap(name + "/", name + "0").isEmpty()) {
                    respond(exchange, 409, "DirectoryIsNotEmpty");
                    return;
                }
                blobs.remove(name);
            }
            default -> {
                respond(exchange, kind.equals(PROTECTED) ? 409 : 404, kind);
                return;
            }
        }
        exchange.sendResponseHeaders(202, -1);
    }

    private static void respond(HttpExchange exchange, int status, String code) throws IOException {
        exchange.getResponseHeaders().add("x-ms-error-code", code);
        exchange.sendResponseHeaders(status, -1);
    }
}
