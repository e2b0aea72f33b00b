package io.bucketwright.store.s3;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** S3 and IAM of AWS, with the responses of a test. */
abstract class ScriptedAws {

    /** Status and body, or status and error code, by the action of IAM, or by method, path and subresource of S3. */
    final Map<String, String> responses = new TreeMap<>();
    /** What happens in the store after a request. */
    final Map<String, Runnable> afterwards = new TreeMap<>();

    final List<String> requests = new ArrayList<>();
    /** The requests to IAM with their parameters. */
    final List<String> iamRequests = new ArrayList<>();

    String retryAfter = "";
    String errorMessage = "because of the test";
    final LoopbackServer server = new LoopbackServer(this::respond);
    final CompleteStore store;
    final BucketName bucket = new BucketName("photos");
    final BucketOwner owner = new BucketOwner("cluster", "uid");

    /** @param parameters replaces PROXY by the URL of the server */
    ScriptedAws(Map<String, String> parameters) {
        UnaryOperator<String> url = value -> value.equals("PROXY") ? server.url() : value;
        store = server.open(parameters.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, parameter -> url.apply(parameter.getValue()))));
    }

    @AfterEach
    final void close() {
        store.close();
        server.close();
    }

    /** The ownership tags of the bucket. */
    static String bucketTags(String uid) {
        return "200 <Tagging><TagSet>" + tag("Tag", "version", "1") + tag("Tag", "cluster", "cluster")
                + tag("Tag", "owner", uid) + "</TagSet></Tagging>";
    }

    /** The ownership tags of a user. */
    static String userTags(String cluster, String uid) {
        return iam(
                "ListUserTags",
                "<Tags>" + tag("member", "version", "1") + tag("member", "cluster", cluster)
                        + tag("member", "owner", uid) + "</Tags>");
    }

    private static String tag(String element, String key, String value) {
        return "<%1$s><Key>bucketwright.io/%2$s</Key><Value>%3$s</Value></%1$s>".formatted(element, key, value);
    }

    static String iam(String action, String result) {
        return "200 <%1$sResponse><%1$sResult>%2$s</%1$sResult></%1$sResponse>".formatted(action, result);
    }

    private static String subresource(String query) {
        String name = Stream.of("tagging", "versions", "uploads", "policy")
                .filter(query::contains)
                .map(found -> "?" + found)
                .findFirst()
                .orElse("");
        return name + (query.contains("encoding-type=url") ? "&url" : "");
    }

    private synchronized void respond(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean iam = body.startsWith("Action=");
        String request = iam
                ? body.substring("Action=".length(), body.indexOf('&'))
                : exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath()
                        + subresource(String.valueOf(exchange.getRequestURI().getQuery()));
        requests.add(request);
        if (iam) {
            iamRequests.add(body);
        }
        String response = responses.getOrDefault(request, "404 NotScripted");
        int status = Integer.parseInt(response.substring(0, 3));
        String content = response.substring(4);
        // What a proxy answers has no error code: a page for people, or nothing.
        boolean page = status < 300 || content.isEmpty() || content.startsWith("<");
        String error = "<Error><Code>" + content + "</Code><Message>" + errorMessage + "</Message></Error>";
        exchange.getResponseHeaders().add("Retry-After", retryAfter);
        LoopbackServer.respond(
                exchange, status, page ? content : iam ? "<ErrorResponse>" + error + "</ErrorResponse>" : error);
        afterwards.getOrDefault(request, () -> {}).run();
    }
}
