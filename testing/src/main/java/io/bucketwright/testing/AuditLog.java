package io.bucketwright.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.testing.RequestCounts.Request;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/**
 * The API server's audit log, one JSON object a line. Each byte is read once, however many tests count their requests.
 * The log trails the responses, so a count first sends a sentinel request as the same user and waits for its line.
 */
public final class AuditLog {

    private static final Map<Path, AuditLog> LOGS = new ConcurrentHashMap<>();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String USERNAME = "\"username\":";
    private static final int BUFFER = 1 << 18;
    private static final KubernetesSerialization JSON = new KubernetesSerialization(new ObjectMapper(), false);

    private final Path file;
    private final Map<String, List<String>> linesByUser = new ConcurrentHashMap<>();
    private long offset;

    private AuditLog(Path file) {
        this.file = file;
    }

    public static AuditLog of(Path file) {
        return LOGS.computeIfAbsent(file.toAbsolutePath(), AuditLog::new);
    }

    /** All requests of the user up to now, in the order of the log, without Leases and {@link Sentinel} objects. */
    public RequestCounts requests(ApiUser user) {
        String sentinel = Sentinel.newName();
        send(user, sentinel);
        Awaitility.await("the sentinel in " + file)
                .atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> lines(user.name()).stream().anyMatch(line -> line.contains(sentinel)));
        return new RequestCounts(lines(user.name()).stream()
                .map(line -> request(JSON.unmarshal(line, JsonNode.class)))
                .filter(request -> !request.resource().equals("leases"))
                .filter(request -> !Sentinel.isSentinel(request.name()))
                .toList());
    }

    /** The log's lines about requests of this user, as far as the server has written them. */
    public synchronized List<String> lines(String user) {
        readOn();
        return List.copyOf(linesByUser.getOrDefault(JSON.asJson(user), List.of()));
    }

    private void readOn() {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            while (channel.read(buffer, offset) > 0) {
                int end = endOfLastLine(buffer);
                if (end == 0 && buffer.hasRemaining()) {
                    return;
                }
                if (end == 0) {
                    buffer = ByteBuffer.allocate(buffer.capacity() * 2);
                    continue;
                }
                new String(buffer.array(), 0, end, StandardCharsets.UTF_8)
                        .lines()
                        .forEach(this::sort);
                offset += end;
                buffer.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int endOfLastLine(ByteBuffer buffer) {
        int end = buffer.position();
        while (end > 0 && buffer.get(end - 1) != '\n') {
            end--;
        }
        return end;
    }

    // The user's name is the first one in the line; parsing every line of a busy server would cost seconds.
    private void sort(String line) {
        int start = line.indexOf(USERNAME) + USERNAME.length();
        int end = line.indexOf('"', start + 1) + 1;
        if (start > USERNAME.length() && end > start) {
            linesByUser
                    .computeIfAbsent(line.substring(start, end), _ -> new ArrayList<>())
                    .add(line);
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
}
