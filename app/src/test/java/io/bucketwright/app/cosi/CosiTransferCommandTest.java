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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code bucketwright cosi transfer} with an API server that answers as the test says. */
class CosiTransferCommandTest {

    private static final String BUCKETS = "/apis/cosi.io/v1alpha1/buckets";
    private static final String FORBIDDEN = """
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "reason": "Forbidden",
             "message": "buckets.cosi.io \\"first\\" is forbidden"}""";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> patches = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder = Path.of("/");

    private final HttpServer server = unbound();

    private record Answer(int code, String json) {}

    @BeforeEach
    void start() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        answers.put("GET /version", new Answer(200, "{\"major\": \"1\", \"minor\": \"35\"}"));
        answers.put("GET /api/v1/namespaces/kube-system", namespace("kube-system", "this-cluster"));
        answers.put("GET /api/v1/namespaces/team", namespace("team", "team-here"));
        answers.put("GET /apis/cosi.io/v1alpha1/bucketrequests", list("BucketRequestList", List.of()));
        answers.put("GET " + BUCKETS, list("BucketList", List.of(bucket("first"), bucket("second"))));
        answers.put("PATCH " + BUCKETS + "/first", new Answer(200, bucket("first")));
        answers.put("PATCH " + BUCKETS + "/second", new Answer(200, bucket("second")));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aRequestHasTheUidsOfTheNamespacesAndPermitsNoneOfThemItself() throws IOException {
        assertThat(transfer("former-cluster", "first")).isZero();

        assertThat(out.toString()).isEqualTo("Bucket first: transfer from cluster former-cluster requested\n");
        assertThat(patches)
                .singleElement()
                .asString()
                .contains("\"cosi.io/transfer-from-cluster\":\"former-cluster\"")
                .contains("\"cosi.io/transfer-namespace-uids\":\"team-there=team-here\"")
                .contains("\"resourceVersion\":\"7\"")
                .doesNotContain("permittedNamespaces");
    }

    @Test
    void theIdOfThisClusterIsAUsageError() throws IOException {
        assertThat(transfer("this-cluster")).isEqualTo(2);

        assertThat(err.toString()).startsWith("--from-cluster is the id of this cluster");
        assertThat(patches).isEmpty();
    }

    @Test
    void aBucketThatCannotBeChangedIsReportedAndTheOthersAreTransferred() throws IOException {
        answers.put("PATCH " + BUCKETS + "/first", new Answer(403, FORBIDDEN));

        assertThat(transfer("former-cluster")).isEqualTo(1);

        assertThat(out.toString()).isEqualTo("""
                Bucket first: not transferred: buckets.cosi.io "first" is forbidden
                Bucket second: transfer from cluster former-cluster requested
                """);
    }

    @Test
    void aClusterWithoutCosiIsOneSentence() throws IOException {
        answers.remove("GET /apis/cosi.io/v1alpha1/bucketrequests");

        assertThat(transfer("former-cluster")).isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo("The CustomResourceDefinitions of COSI are not installed in this cluster.\n");
    }

    @Test
    void theHelpNamesThePermissions() {
        assertThat(commandLine().getUsageMessage().replaceAll("\\s+", " "))
                .contains(
                        "Requires permission to list BucketRequests of all namespaces, to read Namespaces, and to list"
                                + " and patch Buckets.");
    }

    private int transfer(String fromCluster, String... names) throws IOException {
        String content = """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: here, user: me}}]
                clusters: [{name: here, cluster: {server: 'http://127.0.0.1:%d'}}]
                users: [{name: me, user: {token: abc}}]
                """.formatted(server.getAddress().getPort());
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), content);
        List<String> arguments = new ArrayList<>(List.of(names));
        arguments.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        arguments.addAll(List.of("--provisioner", "store/s3.test", "--from-cluster", fromCluster));
        return commandLine().execute(arguments.toArray(String[]::new));
    }

    private CommandLine commandLine() {
        return new CommandLine(new CosiTransferCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, line, _) -> {
                    if (failure instanceof CommandException) {
                        line.getErr().println(failure.getMessage());
                        return 1;
                    }
                    throw failure;
                });
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestMethod().equals("PATCH")) {
            patches.add(new String(body, StandardCharsets.UTF_8).replaceAll("\\s", ""));
        }
        Answer answer = answers.getOrDefault(
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath(),
                new Answer(404, "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 404}"));
        byte[] json = answer.json().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.code(), json.length);
        exchange.getResponseBody().write(json);
        exchange.close();
    }

    private static HttpServer unbound() {
        try {
            return HttpServer.create();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Answer namespace(String name, String uid) {
        return new Answer(
                200,
                "{\"kind\": \"Namespace\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"%s\", \"uid\": \"%s\"}}"
                        .formatted(name, uid));
    }

    private static Answer list(String kind, List<String> items) {
        return new Answer(
                200,
                "{\"kind\": \"%s\", \"apiVersion\": \"cosi.io/v1alpha1\", \"metadata\": {}, \"items\": [%s]}"
                        .formatted(kind, String.join(",", items)));
    }

    private static String bucket(String name) {
        return """
                {"kind": "Bucket", "apiVersion": "cosi.io/v1alpha1",
                 "metadata": {"name": "%1$s", "uid": "%1$s-uid", "resourceVersion": "7"},
                 "spec": {"provisioner": "store/s3.test",
                          "permittedNamespaces": [{"name": "team", "uid": "team-there"}],
                          "bucketRequest": {"namespace": "team", "name": "%1$s", "uid": "request-there"}}}
                """.formatted(name);
    }
}
