package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** AWS in us-east-1, which answers 200 to CreateBucket of a bucket that the account has, and resets its ACL. */
final class FirstRegionTest {

    private final Map<String, String> responses = new TreeMap<>();
    private final List<String> requests = new ArrayList<>();
    private int readsAfterCreation;
    private boolean created;
    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final BucketStore store;
    private final BucketOwner owner = new BucketOwner("cluster", "uid");

    /** The server is the proxy in front of AWS. */
    FirstRegionTest() {
        S3StoreFactory factory = new S3StoreFactory();
        store = factory.open(
                factory.parameters()
                        .parse(Map.of(
                                "endpoint", "http://s3.us-east-1.amazonaws.com",
                                "iamEndpoint", "http://iam.amazonaws.com",
                                "region", "us-east-1",
                                "pathStyle", "true",
                                "identity", "iam",
                                "proxy", server.url())),
                new AdministratorSecret(
                        Map.of("accessKeyId", SecretValue.of("id"), "secretAccessKey", SecretValue.of("secret"))));
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void aBucketWhoseTagsMayNotBeReadIsNotCreatedAgain() {
        responses.put("GET /photos", "403 AccessDenied");
        responses.put("PUT /photos", "200 ");
        assertThatThrownBy(this::provision).isInstanceOf(Denied.class);
        assertThat(requests).isNotEmpty().noneMatch(request -> request.startsWith("PUT"));
    }

    /** The tags of the other claim replace those of this one after it has read them once. */
    @Test
    void ofTwoClaimsThatCreateABucketAtTheSameTimeOneGetsIt() {
        responses.put("GET /photos", "404 NoSuchBucket");
        responses.put("PUT /photos", "200 ");
        assertThatThrownBy(this::provision).isInstanceOf(Taken.class);
        assertThat(readsAfterCreation).isGreaterThan(1);
    }

    /** The bucket policy of the other account lets the administrator read the bucket, and users are denied all the same. */
    @Test
    void anExistingBucketOfAnotherAccountIsRefusedBeforeItsUserIsCreated() {
        responses.put("GET /photos", "200 <Tagging><TagSet/></Tagging>");
        responses.put("GET /", "200 <ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>");
        GrantRequest request = new GrantRequest(new BucketName("photos"), owner, Access.readWrite(), Set.of());
        assertThatThrownBy(() -> store.grant(StoreCall.within(Duration.ofMinutes(1)), request))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("photos belongs to another account of AWS")
                .hasMessageContaining("Name a bucket of the administrator's account");
        assertThat(requests).allMatch(sent -> sent.startsWith("GET"));
    }

    private void provision() {
        store.provision(
                StoreCall.within(Duration.ofMinutes(1)),
                new ProvisionRequest(
                        new BucketName("photos"),
                        Naming.GIVEN,
                        owner,
                        Access.readWrite(),
                        BucketOptions.unmanaged(),
                        Set.of()));
    }

    private static String tag(String key, String value) {
        return "<Tag><Key>bucketwright.io/" + key + "</Key><Value>" + value + "</Value></Tag>";
    }

    private synchronized void respond(HttpExchange exchange) throws IOException {
        byte[] _ = exchange.getRequestBody().readAllBytes();
        String request =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
        requests.add(request);
        String response = created && request.equals("GET /photos")
                ? tagsOf(++readsAfterCreation == 1 ? "uid" : "another")
                : responses.getOrDefault(request, "404 NotScripted");
        int status = Integer.parseInt(response.substring(0, 3));
        String content = response.substring(4);
        byte[] bytes = (status < 300 ? content : "<Error><Code>" + content + "</Code></Error>")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
        created |= request.equals("PUT /photos");
    }

    private static String tagsOf(String owner) {
        return "200 <Tagging><TagSet>" + tag("version", "1") + tag("cluster", "cluster") + tag("owner", owner)
                + "</TagSet></Tagging>";
    }
}
