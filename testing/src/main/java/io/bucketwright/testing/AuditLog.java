package io.bucketwright.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.testing.RequestCounts.Request;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The API server's audit log. It trails the answers, so a count first sends a sentinel as the same user and waits for
 * it to be written.
 */
public final class AuditLog {

    private static final String SENTINEL = "bucketwright-sentinel-";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path file;
    private final ObjectMapper mapper = new ObjectMapper();

    private AuditLog(Path file) {
        this.file = file;
    }

    public static AuditLog of(Path file) {
        return new AuditLog(file);
    }

    /** Everything the user has asked so far, in the order of the log, without leases and sentinels. */
    public RequestCounts requests(ApiUser user) {
        String sentinel = SENTINEL + UUID.randomUUID();
        send(user, sentinel);
        Awaitility.await("the sentinel in " + file)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> contains(sentinel));
        String mark = "\"username\":" + quoted(user.name());
        try (Stream<String> lines = Files.lines(file)) {
            List<Request> requests = lines.filter(line -> line.contains(mark))
                    .map(this::parse)
                    .filter(entry -> entry.at("/user/username").asText().equals(user.name()))
                    .filter(entry -> !entry.at("/objectRef/resource").asText().equals("leases"))
                    .filter(entry -> !entry.at("/objectRef/name").asText().startsWith(SENTINEL))
                    .map(AuditLog::request)
                    .toList();
            return new RequestCounts(requests);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(ApiUser user, String sentinel) {
        try (KubernetesClient client = user.client()) {
            client.configMaps().inNamespace("default").withName(sentinel).get();
        } catch (KubernetesClientException refused) {
            // A user without the right to read leaves the same line in the log.
            if (refused.getCode() != 403) {
                throw refused;
            }
        }
    }

    private boolean contains(String text) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(line -> line.contains(text));
        }
    }

    private JsonNode parse(String line) {
        try {
            return mapper.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Request request(JsonNode entry) {
        JsonNode object = entry.path("objectRef");
        String subresource = object.path("subresource").asText();
        return new Request(
                entry.path("verb").asText(),
                object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
                object.path("namespace").asText(),
                object.path("name").asText(),
                entry.at("/responseStatus/code").asInt());
    }

    private String quoted(String text) {
        try {
            return mapper.writeValueAsString(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
