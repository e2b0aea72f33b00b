package io.bucketwright.store.gcs;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.testing.gcs.GcsResponse;
import io.bucketwright.testing.gcs.GcsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a claim reports if something is wrong with the store, its endpoints or its administrator. */
final class GcsFailureIT {

    private final GcsServer server = GcsServer.start();
    private final StrictStore tools = new StrictStore(server, Map.of());
    private final CompleteStore store = tools.store();
    private final BucketName bucket = new BucketName("photos");
    private final BucketOwner owner = new BucketOwner("cluster", "uid");

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"429, rateLimitExceeded", "503, backendError", "500, internalError", "403, rateLimitExceeded"})
    void aBusyStoreIsUnavailableForAsLongAsItRequests(int status, String reason) {
        server.setFault(request -> request.equals("POST /storage/v1/b")
                ? Optional.of(GcsResponse.of(
                        status,
                        "application/json",
                        "{\"error\":{\"code\":" + status + ",\"errors\":[{\"reason\":\"" + reason + "\"}]}}",
                        Map.of("Retry-After", "7")))
                : Optional.empty());
        Unavailable busy = catchThrowableOfType(Unavailable.class, this::provision);
        assertThat(busy)
                .hasMessage(
                        "Could not create the bucket photos: 127.0.0.1 responded " + status + " \"" + reason + "\".");
        assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        server.setFault(_ -> Optional.empty());
        provision();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "storage.buckets.create",
                "storage.buckets.getIamPolicy",
                "storage.buckets.setIamPolicy",
                "storage.hmacKeys.create",
                "iam.serviceAccounts.create",
                "iam.serviceAccounts.get"
            })
    void aMissingPermissionIsNamed(String permission) {
        server.deny(Set.of(permission));
        assertThatThrownBy(this::provision)
                .isInstanceOf(Denied.class)
                .hasMessageContaining("The administrator lacks the permission " + permission + ".");
        server.deny(Set.of());
        provision();
    }

    @Test
    void aBucketOfAnotherProjectIsTaken() {
        server.setFault(request -> request.endsWith("/storage/v1/b/photos")
                ? Optional.of(error(403, "forbidden", "denied"))
                : request.equals("POST /storage/v1/b")
                        ? Optional.of(error(409, "conflict", "taken"))
                        : Optional.empty());
        assertThatThrownBy(this::provision).isInstanceOf(Taken.class).hasMessageContaining("another project");
    }

    /** Google also sends this reason if the metadata of a bucket was edited during the operation. */
    @Test
    void aConflictWithAnotherRequestIsRetried() {
        provision();
        tools.put(bucket, "key", "text");
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        for (String request : List.of(
                "PUT /storage/v1/b/photos/iam", "DELETE /storage/v1/projects/", "DELETE /storage/v1/b/photos/o/key")) {
            server.setFault(sent ->
                    sent.startsWith(request) ? Optional.of(error(409, "conflict", "try again")) : Optional.empty());
            assertThatThrownBy(() -> store.delete(call(), purge)).as(request).isInstanceOf(Unavailable.class);
        }
        server.setFault(_ -> Optional.empty());
        Progress progress = new Progress.More(1);
        while (progress instanceof Progress.More) {
            progress = store.delete(call(), purge);
        }
        assertThat(tools.bucketExists(bucket)).isFalse();
        assertThat(server.accounts()).isEmpty();
    }

    /** Google deletes a key only minutes after it was disabled. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aKeyThatCannotBeDeletedYetKeepsNeitherAnotherKeyNorTheRole(boolean proven) {
        ProvisionedBucket first = provision();
        String id = first.credentials().id();
        ProvisionedBucket second = store.grant(call(), grantRequest(bucket, owner, id));
        String other = second.credentials().id();
        tools.application(second).put("key", "text");
        String email = server.accounts().iterator().next();
        GcsResponse ofSomebodyElse = GcsResponse.of(
                200, "application/json", "{\"email\":\"" + email + "\",\"description\":\"somebody else's\"}", Map.of());
        server.setFault(request -> request.startsWith("DELETE /storage/v1/projects/")
                ? Optional.of(error(400, "invalid", "Cannot delete keys in state ACTIVE"))
                : !proven && request.startsWith("GET /v1/projects/strict-project/serviceAccounts/bw-")
                        ? Optional.of(ofSomebodyElse)
                        : Optional.empty());
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of(id, other)))
                .isInstanceOf(Unavailable.class);
        for (ProvisionedBucket keys : List.of(first, second)) {
            assertThatThrownBy(() -> tools.application(keys).get("key")).isInstanceOf(Refused.class);
        }
        assertThat(server.bindings("photos")).doesNotContain("serviceAccount:");
        int before = server.requests().size();
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of(id, other)))
                .isInstanceOf(Unavailable.class);
        assertThat(server.requests().stream().skip(before))
                .as("a disabled key is not disabled again")
                .noneMatch(sent -> sent.startsWith("PUT /storage/v1/projects/"));
    }

    @Test
    void aChangeOfAPolicyIsRepeatedAfterAConflict() {
        provision();
        AtomicInteger conflicts = new AtomicInteger(2);
        server.setFault(sent -> sent.equals("PUT /storage/v1/b/photos/iam") && conflicts.getAndDecrement() > 0
                ? Optional.of(error(409, "conflict", "try again"))
                : Optional.empty());
        store.revoke(call(), bucket, owner);
        assertThat(conflicts.get()).isNegative();
        assertThat(server.accounts()).isEmpty();
        assertThat(server.bindings("photos")).doesNotContain("serviceAccount:");
    }

    /** A 404 of a proxy must not look like a bucket that does not exist. */
    @ParameterizedTest
    @ValueSource(ints = {404, 400, 403, 301, 200, 409, 412})
    void aResponseThatIsNotGooglesProvesNothing(int status) {
        server.setFault(request -> request.startsWith("GET /storage/v1/b/")
                ? Optional.of(GcsResponse.of(status, "text/html", "<html>welcome</html>", Map.of()))
                : Optional.empty());
        assertThatThrownBy(() -> store.check(call(), bucket, owner))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("not a response of Google Cloud");
    }

    @Test
    void aDeletedKeyIsDeniedAndTheMessageNamesTheAccount() {
        try (CompleteStore wrong = tools.storeWithInvalidCredentials()) {
            assertThatThrownBy(() -> wrong.check(call(), bucket, owner))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("could not get an access token")
                    .hasMessageContaining("invalid_grant")
                    .hasMessageContaining("The key of bucketwright@strict-project.iam.gserviceaccount.com");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "{}",
                "{\"type\":\"authorized_user\"}",
                "{\"type\":\"service_account\",\"client_email\":\"a@b\",\"private_key\":\"s3cret\"}"
            })
    void aKeyThatIsNoneIsDeniedWithoutItsText(String key) {
        GcsStoreFactory factory = new GcsStoreFactory();
        StoreException denied = catchThrowableOfType(
                StoreException.class,
                () -> factory.open(
                        factory.parameters().parse(tools.parameters()),
                        new AdministratorSecret(Map.of("key.json", SecretValue.of(key)))));
        assertThat(denied).isInstanceOf(Denied.class);
        assertThat(denied.getMessage()).contains("administrator's Secret").doesNotContain("s3cret");
        assertThat(denied.getCause()).isNull();
    }

    @Test
    void aWrongEndpointIsNamed() {
        try (CompleteStore open = tools.store(Map.of("endpoint", "http://127.0.0.1:1"))) {
            assertThatThrownBy(() -> open.check(call(), bucket, owner))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("http://127.0.0.1:1 does not respond");
        }
    }

    private CompleteStore at(ServerSocket socket, String timeout) {
        return tools.store(Map.of("endpoint", "http://127.0.0.1:" + socket.getLocalPort(), "requestTimeout", timeout));
    }

    /** The body of a response can be late too. */
    @Test
    void aResponseThatStopsInItsMiddleIsGivenUpAfterTheTimeoutOfTheClass() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket connected = silent.accept()) {
                    connected
                            .getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
                                    .getBytes(StandardCharsets.US_ASCII));
                    connected.getOutputStream().flush();
                    while (connected.getInputStream().read() >= 0) {
                        // Until the client disconnects.
                    }
                } catch (IOException disconnected) {
                    // The end of the test.
                }
            });
            try (CompleteStore open = at(silent, "0.5s")) {
                long start = System.nanoTime();
                assertThatThrownBy(() -> open.usage(StoreCall.within(Duration.ofMinutes(5)), bucket))
                        .isInstanceOf(Unavailable.class)
                        .hasMessageContaining("does not respond");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "proxy, https://proxy:3128, must begin with http",
        "proxy, proxy, must be http",
        "connectTimeout, 0s, more than 0s",
        "requestTimeout, 2m, at most 60s",
        "requestTimeout, soon, at most 60s",
        "credentials, pod, must be secret or ambient",
        "credentials, ambient, project is missing",
        "principalKeys, both, must be hmac or serviceAccount",
        "project, Photos, 6 to 30 lower case",
        "location, eu west, letters",
        "caBundle, none, certificates",
    })
    void aWrongParameterIsNamed(String name, String value, String reason) {
        GcsStoreFactory factory = new GcsStoreFactory();
        assertThatThrownBy(() -> factory.open(factory.parameters().parse(Map.of(name, value)), tools.administrator()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining(reason)
                .message()
                .containsAnyOf("parameter " + name, "parameter project");
    }

    /** Requests to a store elsewhere go to the proxy; those to the token endpoint on this machine do not. */
    @Test
    void theProxyOfTheClassIsUsedExceptForThisMachine() {
        String proxy = server.endpoint().replace("127.0.0.1", "localhost");
        try (CompleteStore open = tools.store(Map.of("endpoint", "http://storage.invalid", "proxy", proxy))) {
            assertThat(open.findBucket(call(), bucket)).isEmpty();
        }
        assertThat(server.requests()).contains("POST /token", "GET /storage/v1/b/photos");
    }

    @Test
    void aRejectedTokenIsReplacedByTheNextCall() {
        provision();
        server.setFault(request -> request.startsWith("GET /storage/v1/b/photos")
                ? Optional.of(error(401, "authError", "Invalid Credentials"))
                : Optional.empty());
        assertThatThrownBy(() -> store.check(call(), bucket, owner)).isInstanceOf(Denied.class);
        server.setFault(_ -> Optional.empty());
        store.check(call(), bucket, owner);
        assertThat(server.requests()).filteredOn("POST /token"::equals).hasSize(2);
    }

    static GcsResponse error(int status, String reason, String message) {
        return GcsResponse.of(
                status,
                "application/json",
                "{\"error\":{\"code\":" + status + ",\"message\":\"" + message + "\",\"errors\":[{\"reason\":\""
                        + reason + "\"}]}}",
                Map.of());
    }

    private ProvisionedBucket provision() {
        return store.provision(call(), provisionRequest(bucket, owner));
    }
}
