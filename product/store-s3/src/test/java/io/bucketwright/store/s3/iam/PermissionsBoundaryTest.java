package io.bucketwright.store.s3.iam;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.s3.LoopbackServer;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.identity.Identity;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests about permissions boundaries, which no store on this machine accepts. */
final class PermissionsBoundaryTest {

    private static final String BOUNDARY = "arn:aws:iam::123456789012:policy/boundary";

    private final List<Map<String, String>> requests = new CopyOnWriteArrayList<>();
    private final BucketOwner owner = new BucketOwner("cluster", "uid");
    private final LoopbackServer server = new LoopbackServer(this::respond);
    private volatile boolean userExists;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aNewUserIsCreatedWithTheBoundary() {
        ensure(Map.of("permissionsBoundary", BOUNDARY));
        assertThat(actions()).containsExactly("ListUserTags", "CreateUser", "PutUserPolicy");
        assertThat(requests.get(1)).containsEntry("UserName", "bw-uid").containsEntry("PermissionsBoundary", BOUNDARY);
    }

    @Test
    void aUserThatExistsGetsTheBoundaryBeforeItsPolicy() {
        userExists = true;
        ensure(Map.of("permissionsBoundary", BOUNDARY));
        assertThat(actions()).containsExactly("ListUserTags", "PutUserPermissionsBoundary", "PutUserPolicy");
        assertThat(requests.get(1)).containsEntry("UserName", "bw-uid").containsEntry("PermissionsBoundary", BOUNDARY);
    }

    @Test
    void withoutTheParameterNoBoundaryIsSent() {
        ensure(Map.of());
        userExists = true;
        ensure(Map.of());
        assertThat(actions())
                .containsExactly("ListUserTags", "CreateUser", "PutUserPolicy", "ListUserTags", "PutUserPolicy");
        assertThat(requests).allSatisfy(request -> assertThat(request).doesNotContainKey("PermissionsBoundary"));
    }

    private void ensure(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put("endpoint", server.url());
        parameters.put("iamEndpoint", server.url());
        S3Parameters parsed = S3Parameters.of(S3Parameters.schema().parse(parameters));
        AwsClients clients = new AwsClients(parsed, SecretValue.of("id"), SecretValue.of("secret"), List.of());
        try (Identity identity = IamIdentity.open(clients, parsed)) {
            ((IamPrincipals) identity.principals()).ensure(call(), new BucketName("photos"), owner, Access.readWrite());
        }
    }

    private List<String> actions() {
        return requests.stream()
                .map(request -> request.getOrDefault("Action", ""))
                .toList();
    }

    private void respond(HttpExchange exchange) throws IOException {
        Map<String, String> request = Stream.of(
                        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8), (one, _) -> one));
        requests.add(request);
        String action = request.getOrDefault("Action", "");
        boolean missing = action.equals("ListUserTags") && !userExists;
        String tags = new OwnershipTags.Owned(owner, ClaimIdentity.NONE)
                .tags().entrySet().stream()
                        .map(tag ->
                                "<member><Key>" + tag.getKey() + "</Key><Value>" + tag.getValue() + "</Value></member>")
                        .collect(Collectors.joining());
        String text = missing
                ? "<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>"
                : "<" + action + "Response><" + action + "Result><IsTruncated>false</IsTruncated><Tags>" + tags
                        + "</Tags></" + action + "Result></" + action + "Response>";
        LoopbackServer.respond(exchange, missing ? 404 : 200, text);
    }
}
