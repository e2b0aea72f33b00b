package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users of AWS IAM that somebody changed, and limits of IAM, as AWS answers. */
final class AwsPrincipalsTest {

    private final Map<String, String> responses = new TreeMap<>();
    private final List<String> requests = new ArrayList<>();
    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final BucketStore store;
    private final BucketName bucket = new BucketName("photos");
    private final BucketOwner owner = new BucketOwner("cluster", "uid");

    AwsPrincipalsTest() {
        S3StoreFactory factory = new S3StoreFactory();
        store = factory.open(
                factory.parameters().parse(Map.of("endpoint", server.url(), "identity", "iam")),
                new AdministratorSecret(
                        Map.of("accessKeyId", SecretValue.of("id"), "secretAccessKey", SecretValue.of("secret"))));
        responses.put("DeleteAccessKey", "200 <DeleteAccessKeyResponse/>");
        responses.put("GET /photos", "200 <Tagging><TagSet/></Tagging>");
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void aUserWithoutTagsLosesThePublishedKeysAndIsReported() {
        responses.put("ListUserTags", "200 " + tags(""));
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of("KEY1", "KEY2")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(owner.principal().text())
                .hasMessageContaining("no longer names its owner");
        assertThat(requests)
                .filteredOn(request -> request.startsWith("DeleteAccessKey"))
                .hasSize(2);
        assertThat(requests).noneMatch(request -> request.startsWith("DeleteUser"));
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE, Naming.GIVEN, true, Set.of("KEY3"));
        assertThatThrownBy(() -> store.delete(call(), purge)).isInstanceOf(Denied.class);
        assertThat(requests).anyMatch(request -> request.contains("KEY3"));
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE"));
    }

    /** A backup was restored into another cluster: the keys that it records are those of the first one. */
    @Test
    void aUserOfTheSameUidInAnotherClusterKeepsItsKeys() {
        responses.put(
                "ListUserTags", "200 " + tags(tag("version", "1") + tag("cluster", "another") + tag("owner", "uid")));
        store.revoke(call(), bucket, owner, Set.of("KEY1"));
        assertThat(requests).noneMatch(request -> request.startsWith("Delete"));
    }

    /** Whoever may tag users must not be able to keep the keys of a deleted claim alive. */
    @ParameterizedTest
    @CsvSource({"cluster, another-uid", "another, another-uid", "an other, uid"})
    void aUserThatNamesAnybodyElseLosesThePublishedKeysAndIsReported(String cluster, String uid) {
        responses.put("ListUserTags", "200 " + tags(tag("version", "1") + tag("cluster", cluster) + tag("owner", uid)));
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of("KEY1")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("The keys that are recorded for its claim are deleted");
        assertThat(requests).anyMatch(request -> request.startsWith("DeleteAccessKey") && request.contains("KEY1"));
        assertThat(requests).noneMatch(request -> request.startsWith("DeleteUser"));
    }

    @Test
    void whereNoKeysAreKnownTheMessageSaysThatTheyStillWork() {
        responses.put("ListUserTags", "200 " + tags(""));
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Its keys still work")
                .hasMessageNotContaining("are deleted");
    }

    @Test
    void verificationReportsAUserThatDoesNotNameItsOwner() {
        responses.put(
                "GET /photos",
                "200 <Tagging><TagSet><Tag><Key>bucketwright.io/version</Key><Value>1</Value></Tag>"
                        + "<Tag><Key>bucketwright.io/cluster</Key><Value>cluster</Value></Tag>"
                        + "<Tag><Key>bucketwright.io/owner</Key><Value>uid</Value></Tag></TagSet></Tagging>");
        responses.put(
                "ListUserPolicies",
                "200 <ListUserPoliciesResponse><ListUserPoliciesResult><PolicyNames><member>bucketwright</member>"
                        + "</PolicyNames></ListUserPoliciesResult></ListUserPoliciesResponse>");
        responses.put("ListUserTags", "200 " + tags(""));
        assertThat(store.verify(call(), bucket, owner)).containsExactly(MissingPart.PRINCIPAL);
        responses.put(
                "ListUserTags", "200 " + tags(tag("version", "1") + tag("cluster", "cluster") + tag("owner", "uid")));
        assertThat(store.verify(call(), bucket, owner)).isEmpty();
    }

    @Test
    void aLimitOfIamIsReportedWithItsMessage() {
        responses.put("ListUserTags", "404 NoSuchEntity");
        responses.put("CreateUser", "409 LimitExceeded");
        GrantRequest request = new GrantRequest(bucket, owner, Access.readWrite(), Set.of());
        assertThatThrownBy(() -> store.grant(call(), request))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("limit")
                .hasMessageContaining("Cannot exceed quota for UsersPerAccount: 5000");
    }

    /** Another call for the same claim creates keys at the same time: nobody has to ask AWS for a higher limit. */
    @Test
    void theKeysOfAnotherCallAreNoLimitOfTheAccount() {
        responses.put(
                "ListUserTags", "200 " + tags(tag("version", "1") + tag("cluster", "cluster") + tag("owner", "uid")));
        responses.put("PutUserPolicy", "200 <PutUserPolicyResponse/>");
        responses.put(
                "ListAccessKeys",
                "200 <ListAccessKeysResponse><ListAccessKeysResult><AccessKeyMetadata/></ListAccessKeysResult>"
                        + "</ListAccessKeysResponse>");
        responses.put("CreateAccessKey", "409 LimitExceeded");
        GrantRequest request = new GrantRequest(bucket, owner, Access.readWrite(), Set.of());
        assertThatThrownBy(() -> store.grant(call(), request)).isInstanceOf(Unavailable.class);
        assertThat(requests).anyMatch(sent -> sent.startsWith("CreateAccessKey"));
    }

    private static String tags(String members) {
        return "<ListUserTagsResponse><ListUserTagsResult><Tags>" + members
                + "</Tags></ListUserTagsResult></ListUserTagsResponse>";
    }

    private static String tag(String key, String value) {
        return "<member><Key>bucketwright.io/" + key + "</Key><Value>" + value + "</Value></member>";
    }

    private static StoreCall call() {
        return StoreCall.within(Duration.ofMinutes(1));
    }

    private synchronized void respond(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean iam = body.startsWith("Action=");
        String request = iam
                ? body.substring("Action=".length(), body.indexOf('&'))
                : exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
        requests.add(iam ? request + body : request);
        String response = responses.getOrDefault(request, "404 NotScripted");
        int status = Integer.parseInt(response.substring(0, 3));
        String content = response.substring(4);
        String code = "<Code>" + content + "</Code><Message>Cannot exceed quota for UsersPerAccount: 5000</Message>";
        String error =
                iam ? "<ErrorResponse><Error>" + code + "</Error></ErrorResponse>" : "<Error>" + code + "</Error>";
        byte[] bytes = (status < 300 ? content : error).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
