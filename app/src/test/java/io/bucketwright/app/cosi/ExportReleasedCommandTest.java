package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code bucketwright cosi export-released} with an API server that answers as the test says. */
class ExportReleasedCommandTest {

    private static final String GROUP = "/apis/cosi.io/v1alpha1/";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void theManifestsArePrinted() throws IOException {
        for (String kind :
                List.of("bucketclasses", "bucketaccessclasses", "buckets", "bucketrequests", "bucketaccessrequests")) {
            answers.put(GROUP + kind, list(""));
        }
        answers.put(GROUP + "bucketclasses", list("""
                {"metadata": {"name": "photos"}, "provisioner": "store/s3.test", "protocol": "s3"}"""));
        assertThat(run()).as(err.toString()).isZero();
        assertThat(out.toString()).contains("kind: \"BucketClass\"", "driverName: \"s3.test\"");
    }

    @Test
    void aClusterWithoutCosiIsOneSentence() throws IOException {
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("The CustomResourceDefinitions of COSI are not installed in this cluster.\n");
    }

    private int run() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        try {
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    contexts: [{name: here, context: {cluster: here, user: me}}]
                    clusters: [{name: here, cluster: {server: 'http://127.0.0.1:%d'}}]
                    users: [{name: me, user: {token: abc}}]
                    """.formatted(
                            server.getAddress().getPort()));
            return new CommandLine(new ExportReleasedCommand())
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .setExecutionExceptionHandler((failure, line, _) -> {
                        if (failure instanceof CommandException) {
                            line.getErr().println(failure.getMessage());
                            return 1;
                        }
                        throw failure;
                    })
                    .execute("--kubeconfig", kubeconfig.toString());
        } finally {
            server.stop(0);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String found =
                path.equals("/version") ? "{\"major\": \"1\", \"minor\": \"35\"}" : answers.getOrDefault(path, "");
        byte[] json = (found.isEmpty() ? "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 404}" : found)
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(found.isEmpty() ? 404 : 200, json.length);
        exchange.getResponseBody().write(json);
        exchange.close();
    }

    private static String list(String item) {
        return "{\"kind\": \"List\", \"apiVersion\": \"cosi.io/v1alpha1\", \"metadata\": {}, \"items\": [%s]}"
                .formatted(item);
    }
}
