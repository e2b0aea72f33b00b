package io.bucketwright.store.s3.ceph;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.LoopbackServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of a Ceph object gateway after administrators changed users and keys that Bucketwright needs. */
final class CephResponsesTest {

    private static final String NO_BUCKETS = "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>";
    private static final String NO_SUCH_USER = "404 {\"Code\":\"NoSuchUser\"}";

    private final Map<String, String> responses = new TreeMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final CompleteStore store = server.open(Map.of("identity", "ceph"));
    private final BucketName bucket = new BucketName("photos");
    private final BucketOwner owner = new BucketOwner("cluster", "uid");

    CephResponsesTest() {
        responses.put("GET /admin/bucket photos", "200 {\"bucket\":\"photos\",\"owner\":\"alice\"}");
        responses.put("GET /admin/bucket ", "200 [\"photos\"]");
        responses.put("GET / ", "200 " + NO_BUCKETS);
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(OnNotEmpty.class)
    void aBucketWhoseOwnerHasNoKeyIsNeitherDeletedNorMissing(OnNotEmpty onNotEmpty) {
        responses.put("GET /admin/user alice", "200 {\"user_id\":\"alice\",\"keys\":[]}");
        operations(onNotEmpty)
                .forEach(operation -> assertThatThrownBy(operation)
                        .isInstanceOf(Unavailable.class)
                        .hasMessageContaining("alice")
                        .hasMessageContaining("photos")
                        .hasMessageContaining("Create an access key"));
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE /photos"));
    }

    @ParameterizedTest
    @EnumSource(OnNotEmpty.class)
    void aBucketWhoseOwnerDoesNotExistIsNeitherDeletedNorMissing(OnNotEmpty onNotEmpty) {
        operations(onNotEmpty)
                .forEach(operation -> assertThatThrownBy(operation)
                        .isInstanceOf(Unavailable.class)
                        .hasMessageContaining("alice")
                        .hasMessageContaining("does not exist")
                        .hasMessageContaining("radosgw-admin bucket chown"));
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE /photos"));
    }

    @Test
    void aBucketWhoseOwnerHasNoKeyIsListedAndItsNameIsTaken() {
        responses.put("GET /admin/user alice", "200 {\"user_id\":\"alice\",\"keys\":[]}");
        assertThat(store.listBuckets(call(), "").buckets())
                .extracting(ListedBucket::tags)
                .containsExactly(new OwnershipTags.Unreadable());
        assertThat(store.findBucket(call(), bucket).orElseThrow().tags()).isEqualTo(new OwnershipTags.Unreadable());
        assertThatThrownBy(() -> store.check(call(), bucket, owner)).isInstanceOf(Taken.class);
    }

    @Test
    void aBucketThatWasDeletedWithItsOwnerMeanwhileIsDeleted() {
        responses.put("GET /admin/bucket photos", "404 {\"Code\":\"NoSuchBucket\"}");
        responses.put("GET /admin/bucket photos first", "200 {\"bucket\":\"photos\",\"owner\":\"bwb-photos\"}");
        responses.put("GET /photos ", "404 <Error><Code>NoSuchBucket</Code></Error>");
        assertThat(store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                .isEqualTo(new Progress.Done());
    }

    @Test
    void aListOfTooManyBucketsIsReportedAsSuch() {
        responses.put("GET /admin/bucket ", "200 [\"photos\",\"" + "x".repeat(5 << 20) + "\"]");
        assertThatThrownBy(() -> store.listBuckets(call(), ""))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("list the buckets")
                .hasMessageContaining("4 MiB");
    }

    @Test
    void aPrincipalThatOwnsABucketLosesItsKeysAndIsReported() {
        String user = owner.principal().text();
        responses.put(
                "GET /admin/user " + user,
                "200 {\"user_id\":\"" + user + "\",\"display_name\":\"" + OwnerName.of(owner) + "\",\"keys\":["
                        + key(user, "FIRST") + "," + key(user, "SECOND") + "]}");
        responses.put("DELETE /admin/user " + user, "409 {\"Code\":\"BucketAlreadyExists\"}");
        responses.put("DELETE /admin/user " + user + " key", "200 ");
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining(user)
                .hasMessageContaining("owns a bucket")
                .hasMessageContaining("radosgw-admin bucket chown");
        assertThat(requests)
                .filteredOn(request -> request.startsWith("DELETE /admin/user " + user + " key"))
                .anyMatch(request -> request.contains("access-key=FIRST"))
                .anyMatch(request -> request.contains("access-key=SECOND"));
    }

    @Test
    void aUserOfTheSameUidInAnotherClusterKeepsItsKeys() {
        String user = owner.principal().text();
        BucketOwner another = new BucketOwner("another-cluster", owner.uid());
        responses.put(
                "GET /admin/user " + user,
                "200 {\"user_id\":\"" + user + "\",\"display_name\":\"" + OwnerName.of(another) + "\",\"keys\":["
                        + key(user, "FIRST") + "]}");
        store.revoke(call(), bucket, owner, Set.of("FIRST"));
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Another",
                "bucketwright.io ",
                "bucketwright.io x",
                "bucketwright.io cluster/uid2",
                "bucketwright.io another/uid2",
                "bucketwright.io another/uid ",
                "bucketwright.io an other/uid",
                "bucketwright.io another/x/uid",
                "bucketwright.io /uid"
            })
    void aUserThatNoLongerNamesItsOwnerLosesOnlyThePublishedKeysAndIsReported(String displayName) {
        String user = owner.principal().text();
        responses.put(
                "GET /admin/user " + user,
                "200 {\"user_id\":\"" + user + "\",\"display_name\":\"" + displayName + "\",\"keys\":["
                        + key(user, "FIRST") + "," + key(user, "SECOND") + "]}");
        responses.put("DELETE /admin/user " + user + " key", "200 ");
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of("FIRST")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(user)
                .hasMessageContaining("no longer names its owner");
        assertThat(requests)
                .filteredOn(request -> request.startsWith("DELETE"))
                .singleElement()
                .asString()
                .contains("access-key=FIRST");
    }

    private static String key(String user, String id) {
        return "{\"user\":\"" + user + "\",\"access_key\":\"" + id + "\",\"secret_key\":\"secret\"}";
    }

    private Stream<ThrowingCallable> operations(OnNotEmpty onNotEmpty) {
        return Stream.of(
                () -> store.delete(call(), new DeleteRequest(bucket, owner, onNotEmpty)),
                () -> store.erase(call(), bucket, owner),
                () -> store.release(call(), bucket, owner),
                () -> store.grant(call(), grantRequest(bucket, owner)),
                () -> store.verify(call(), bucket, owner));
    }

    /** By method, path and the user or bucket that the query names. Users do not exist, all other requests are forbidden. */
    private void respond(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        String name = Stream.of(query.split("&"))
                .filter(part -> part.startsWith("uid=") || part.startsWith("bucket="))
                .map(part -> part.substring(part.indexOf('=') + 1))
                .findFirst()
                .orElse("");
        String path = exchange.getRequestURI().getPath();
        String request =
                exchange.getRequestMethod() + " " + path + " " + name + (query.contains("access-key=") ? " key" : "");
        String once = responses.getOrDefault(request + " first", "");
        responses.remove(request + " first");
        requests.add(request + " " + query);
        String response = once.isEmpty()
                ? responses.getOrDefault(
                        request,
                        path.equals("/admin/user") ? NO_SUCH_USER : "403 <Error><Code>AccessDenied</Code></Error>")
                : once;
        LoopbackServer.respond(exchange, Integer.parseInt(response.substring(0, 3)), response.substring(4));
    }
}
