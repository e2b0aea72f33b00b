package io.bucketwright.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.local.audit.AuditLogReader;
import io.bucketwright.local.audit.AuditedRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
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
    private static final KubernetesSerialization JSON = new KubernetesSerialization(new ObjectMapper(), false);

    private final Path file;
    private final Map<String, List<String>> linesByUser = new ConcurrentHashMap<>();
    private final AuditLogReader reader;

    private AuditLog(Path file) {
        this.file = file;
        this.reader = new AuditLogReader(file);
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
                .map(AuditedRequest::parse)
                .filter(request -> !request.isLease())
                .filter(request -> !Sentinel.isSentinel(request.name()))
                .toList());
    }

    /** The log's lines about requests of this user, as far as the server has written them. */
    public synchronized List<String> lines(String user) {
        reader.read((name, line) ->
                linesByUser.computeIfAbsent(name, _ -> new ArrayList<>()).add(line));
        String quoted = JSON.asJson(user);
        return List.copyOf(linesByUser.getOrDefault(quoted.substring(1, quoted.length() - 1), List.of()));
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
}
