package io.bucketwright.store.azure;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.pki.Credential;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a store that does not do what it should is reported as. */
final class AzureFailureTest {

    private static final BucketName BUCKET = new BucketName("photos");
    private static final BucketOwner OWNER = new BucketOwner("cluster", "uid");
    /** Long before a minute, after which requests and calls end at the latest. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private int status = 200;
    private String code = "";
    private String body = "";
    private String deletedBlobs = "";
    private String deletedPaths = "";
    private String requestId = "";

    AzureFailureTest() throws IOException {
        server = HttpServer.create(loopback(), 0);
        serve(server);
    }

    private void serve(HttpServer any) {
        any.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            if (!code.isEmpty()) {
                exchange.getResponseHeaders().add("x-ms-error-code", code);
                exchange.getResponseHeaders().add("x-ms-request-id", "1");
            }
            if (!requestId.isEmpty()) {
                exchange.getResponseHeaders().add("x-ms-request-id", requestId);
            }
            if (status == 503) {
                exchange.getResponseHeaders().add("Retry-After", "7");
            }
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            String content = query.contains("showonly=deleted")
                    ? deletedPaths
                    : query.contains(",deleted") ? deletedBlobs : body;
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            Map.of("version", "1", "cluster", OWNER.clusterId(), "owner", OWNER.uid())
                    .forEach((key, value) -> exchange.getResponseHeaders().add("x-ms-meta-bucketwright_" + key, value));
            boolean head = exchange.getRequestMethod().equals("HEAD");
            int answer = content.contains("<Error>") ? 400 : status;
            exchange.sendResponseHeaders(answer, head || bytes.length == 0 ? -1 : bytes.length);
            if (!head && bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
            exchange.close();
        });
        any.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aWrongKeyNamesTheSecret() {
        respond(403, "AuthenticationFailed");
        assertThatThrownBy(() -> check(store(Map.of())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("403 \"AuthenticationFailed\"")
                .hasMessageContaining("account key in the administrator's Secret");
    }

    @Test
    void aMissingPermissionNamesWhatMayForbidIt() {
        respond(403, "AuthorizationFailure");
        assertThatThrownBy(() -> check(store(Map.of())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("firewall of the storage account");
        respond(403, "KeyBasedAuthenticationNotPermitted");
        assertThatThrownBy(() -> check(store(Map.of())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("allow shared key access");
    }

    @Test
    void aBusyStoreSaysHowLongToWait() {
        respond(503, "ServerBusy");
        Unavailable busy = catchThrowableOfType(Unavailable.class, () -> check(store(Map.of())));
        assertThat(busy).hasMessageContaining("503 \"ServerBusy\"");
        assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }

    /** Neither that the container exists nor that it does not follows from the response of a proxy. */
    @Test
    void aResponseOfSomethingElseIsNoAnswer() {
        for (int other : List.of(200, 404, 400, 302)) {
            respond(other, "");
            body = "<html>Welcome</html>";
            assertThatThrownBy(() -> check(store(Map.of())))
                    .as("%s", other)
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("parameters endpoint, storageAccount and pathStyle");
            DeleteRequest request = new DeleteRequest(BUCKET, OWNER, OnNotEmpty.PURGE);
            assertThatThrownBy(() -> store(Map.of()).delete(call(), request)).isInstanceOf(Unavailable.class);
        }
    }

    @Test
    void anErrorCodeInTheBodyIsUnderstood() {
        respond(404, "");
        body = "<?xml version=\"1.0\"?><Error><Code>ContainerNotFound</Code><Message>m</Message></Error>";
        assertThatThrownBy(() -> store(Map.of()).usage(call(), BUCKET)).isInstanceOf(NotFound.class);
    }

    @Test
    void aContainerThatIsStillBeingDeletedIsRetried() {
        respond(409, "ContainerBeingDeleted");
        ProvisionRequest request = new ProvisionRequest(
                BUCKET, Naming.GENERATED, OWNER, Access.none(), BucketOptions.unmanaged(), Set.of());
        assertThatThrownBy(() -> store(Map.of()).provision(call(), request))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("still deleting");
        store(Map.of()).revoke(call(), BUCKET, OWNER);
    }

    /** The next owner of an erased container must not restore what the former one deleted. */
    @Test
    void aContainerIsErasedWhenNobodyCanRestoreItsBlobs() {
        requestId = "1";
        body = "<?xml version=\"1.0\"?><EnumerationResults><Blobs/><NextMarker/></EnumerationResults>";
        deletedBlobs = "<?xml version=\"1.0\"?><EnumerationResults><Blobs><Blob><Name>secret</Name>"
                + "<Deleted>true</Deleted></Blob></Blobs><NextMarker/></EnumerationResults>";
        assertThatThrownBy(() -> store(Map.of()).erase(call(), BUCKET, OWNER))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("can still be restored");
        deletedPaths = deletedBlobs;
        deletedBlobs = body;
        assertThatThrownBy(() -> store(Map.of()).erase(call(), BUCKET, OWNER))
                .as("a directory of a hierarchical namespace that was deleted with its contents")
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("can still be restored");
        deletedPaths = body;
        assertThat(store(Map.of()).erase(call(), BUCKET, OWNER)).isEqualTo(new Progress.Done());
        deletedPaths = "<?xml version=\"1.0\"?><Error><Code>UnsupportedQueryParameter</Code></Error>";
        assertThat(store(Map.of()).erase(call(), BUCKET, OWNER))
                .as("an account without a hierarchical namespace")
                .isEqualTo(new Progress.Done());
    }

    @Test
    void protectedBlobsAreNotEmpty() {
        respond(409, "ContainerImmutableDueToPolicy");
        assertThatThrownBy(() -> check(store(Map.of())))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("retention policy");
    }

    @Test
    void aLeaseOfSomebodyElseIsReported() {
        respond(409, "LeaseAlreadyPresent");
        assertThatThrownBy(() -> store(Map.of()).revoke(call(), BUCKET, OWNER))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("another client has a lease");
        assertThat(requests).hasSizeGreaterThan(5).allMatch(request -> request.contains("comp=lease"));
    }

    @Test
    void requestsGoThroughTheProxy() {
        respond(404, "ContainerNotFound");
        check(store(Map.of(
                "endpoint",
                "http://photos.blob.example.invalid",
                "proxy",
                "http://127.0.0.1:" + server.getAddress().getPort())));
        assertThat(requests).containsExactly("HEAD http://photos.blob.example.invalid/photos?restype=container");
    }

    @Test
    void aStoreThatHangsIsGivenUpAfterTheTimeoutOfTheClass() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String endpoint = "http://127.0.0.1:" + silent.getLocalPort();
            long start = System.nanoTime();
            assertThatThrownBy(() -> check(store(Map.of("endpoint", endpoint, "requestTimeout", "0.2s"))))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("does not respond");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        }
    }

    @Test
    void onlyACertificateOfTheCaBundleIsTrusted() throws IOException {
        CertificateAuthority authority = CertificateAuthority.create();
        Credential own = authority.server(List.of("localhost"), List.of("127.0.0.1"));
        HttpsServer secure = HttpsServer.create(loopback(), 0);
        secure.setHttpsConfigurator(
                new HttpsConfigurator(own.tls(authority.credential().certificate())));
        serve(secure);
        try {
            respond(404, "ContainerNotFound");
            String endpoint = "https://127.0.0.1:" + secure.getAddress().getPort();
            check(store(Map.of(
                    "endpoint", endpoint, "caBundle", authority.credential().certificatePem())));
            assertThat(requests).hasSize(1);
            assertThatThrownBy(() -> check(store(Map.of(
                            "endpoint",
                            endpoint,
                            "caBundle",
                            CertificateAuthority.create().credential().certificatePem()))))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("caBundle")
                    .extracting(Throwable::getMessage)
                    .asString()
                    .doesNotContain("Exception", "PKIX", "\n");
        } finally {
            secure.stop(0);
        }
    }

    private void respond(int newStatus, String newCode) {
        status = newStatus;
        code = newCode;
    }

    /** @throws StoreException whatever comes of it */
    private static void check(CompleteStore store) {
        store.check(call(), BUCKET, OWNER);
    }

    private CompleteStore store(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(Map.of(
                "storageAccount",
                "photos",
                "endpoint",
                "http://127.0.0.1:" + server.getAddress().getPort()));
        parameters.putAll(more);
        AzureStoreFactory factory = new AzureStoreFactory();
        return factory.open(factory.parameters().parse(parameters), Azurite.secret("c2VjcmV0"));
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
