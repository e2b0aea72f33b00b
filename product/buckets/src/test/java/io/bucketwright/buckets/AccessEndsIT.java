package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * When access ends, every key that was ever issued and anonymous requests are tried against the bucket in versitygw, and
 * refused. The cases run side by side with one provisioner.
 */
@OnCluster(with = AddOn.S3)
class AccessEndsIT extends BucketTestBase {

    private static final String OPTIONS = "anonymousAccess,cannedAcl,policy";
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    @SuppressWarnings("NullAway.Init")
    private StoreAccess access;

    private final List<S3Client> clients = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    /** A way in which access ends; {@code keysStay} if only that of others does. */
    private record Case(
            String name, Map<String, String> parameters, Map<String, String> options, boolean keysStay, Runnable end) {}

    @BeforeEach
    void startProvisioner() {
        access = bench.s3Administrator();
        bench.startInstalledStores(cluster.user("buckets"));
    }

    @AfterEach
    void closeClients() {
        clients.forEach(S3Client::close);
        http.close();
    }

    private List<Case> cases() {
        Map<String, String> anonymous = Map.of("anonymousAccess", "rw");
        Map<String, String> acl = Map.of("cannedAcl", "public-read-write");
        return List.of(
                new Case("retain", Map.of("reclaimPolicy", "Retain"), anonymous, false, () -> bench.remove("retain")),
                new Case("retain-acl", Map.of("reclaimPolicy", "Retain"), acl, false, () -> bench.remove("retain-acl")),
                new Case("erase", Map.of("reclaimPolicy", "Erase"), anonymous, false, () -> bench.remove("erase")),
                new Case(
                        "suspend", Map.of("reclaimPolicy", "Suspend"), anonymous, false, () -> bench.remove("suspend")),
                new Case("delete", Map.of("onNotEmpty", "purge"), anonymous, false, () -> bench.remove("delete")),
                new Case("patched", Map.of("onNotEmpty", "purge"), anonymous, false, () -> {
                    cluster.edit(
                            bench.bucketOf("patched"),
                            bucket -> bucket.setSpec(bucket.getSpec().with("reclaimPolicy", "Retain")));
                    bench.remove("patched");
                }),
                new Case("option", Map.of(), anonymous, true, () -> bench.setOptions("option", Map.of())),
                new Case("acl", Map.of(), acl, true, () -> bench.setOptions("acl", Map.of())),
                new Case("policy", Map.of(), anonymous, true, () -> {
                    bench.setOptions("policy", Map.of("policy", policy(bucket("policy"))));
                    Eventually.await("the policy")
                            .until(() -> policyText(bucket("policy")).contains("ByTheTenant"));
                    bench.setOptions("policy", Map.of());
                }),
                new Case("stripped", Map.of(), anonymous, false, () -> bench.orphan("stripped")),
                new Case("forced", Map.of(), anonymous, false, () -> {
                    cluster.forceDelete(bench.bucketOf("forced"));
                    bench.awaitPhase("forced", Phase.RELEASED);
                }),
                new Case("forced-deleted", Map.of(), anonymous, false, () -> {
                    cluster.forceDelete(bench.bucketOf("forced-deleted"));
                    bench.remove("forced-deleted");
                }));
    }

    @Test
    void everyKeyAndAnonymousRequestsAreRefusedAfterTheEnd() {
        List<Case> cases = cases();
        cases.forEach(it -> bench.claim(
                it.name(),
                BucketFixture.spec(storageClass(it.name(), it.parameters()))
                        .generateBucketName("photos")
                        .additionalConfig(it.options())));
        Map<String, String> buckets = new HashMap<>();
        Map<String, List<S3Client>> keys = new HashMap<>();
        for (Case it : cases) {
            buckets.put(it.name(), bench.awaitBound(it.name()));
            keys.put(it.name(), new ArrayList<>(List.of(application(it.name()))));
        }
        // Each claim has issued two keys.
        cases.forEach(it -> {
            bench.rotate(it.name());
            keys.getOrDefault(it.name(), List.of()).add(application(it.name()));
        });
        cases.forEach(it -> {
            String bucket = buckets.getOrDefault(it.name(), "");
            keys.getOrDefault(it.name(), List.of()).forEach(key -> put(key, bucket));
            assertThat(anonymous("PUT", bucket + "/object"))
                    .as("%s is open before", it.name())
                    .isEqualTo(200);
        });
        cases.forEach(it -> it.end().run());
        for (Case it : cases) {
            String bucket = buckets.getOrDefault(it.name(), "");
            Eventually.await(it.name() + " to be closed")
                    .until(() -> List.of(FORBIDDEN, NOT_FOUND).contains(anonymous("PUT", bucket + "/late")));
            if (it.name().equals("delete")) {
                // A bucket that does not exist refuses everybody.
                root().createBucket(request -> request.bucket(bucket));
            }
            Consumer<S3Client> expected = it.keysStay()
                    ? key -> put(key, bucket)
                    : key -> Eventually.await(it.name() + " refuses a key").until(() -> isRefused(key, bucket));
            keys.getOrDefault(it.name(), List.of()).forEach(expected);
            assertAnonymousRefused(it.name(), bucket);
        }
        assertThat(buckets.values())
                .as("nothing else was deleted")
                .allSatisfy(bucket -> root().headBucket(request -> request.bucket(bucket)));
    }

    @Test
    void afterAdoptionTheFormerTenantReadsNothing() {
        String retain = storageClass("retain", Map.of("reclaimPolicy", "Retain"));
        String adopt = storageClass("adopt", Map.of("adopt", "photos-*"));
        String close = storageClass("close", Map.of("adopt", "photos-*", "onOpenBucket", "close"));
        bench.newBucket("first", retain, Map.of("anonymousAccess", "rw"));
        String bucket = bench.awaitBound("first");
        S3Client former = application("first");
        bench.remove("first");
        // Somebody opens it again, past Bucketwright.
        root().putBucketPolicy(request -> request.bucket(bucket).policy(policy(bucket)));
        bench.claim("refused", BucketFixture.spec(adopt).bucketName(bucket));
        assertThat(bench.awaitReason("refused", "Invalid")).contains("onOpenBucket");
        bench.remove("refused");
        bench.claim("heir", BucketFixture.spec(close).bucketName(bucket));
        bench.awaitBound("heir");
        put(application("heir"), bucket);
        assertThat(isRefused(former, bucket)).isTrue();
        assertAnonymousRefused("heir", bucket);
    }

    @Test
    void aPolicyOfATenantCannotNameAdministratorActions() {
        bench.newBucket(
                "greedy",
                storageClass("policy", Map.of()),
                Map.of("policy", policy("any").replace("s3:GetObject", "s3:PutBucketTagging")));
        assertThat(bench.awaitReason("greedy", "Invalid")).contains("s3:PutBucketTagging");
        bench.remove("greedy");
    }

    private String storageClass(String name, Map<String, String> parameters) {
        Map<String, String> all = bench.s3Parameters(access, parameters);
        all.put("allowedOptions", OPTIONS);
        return bench.storageClass(name, all);
    }

    private String bucket(String claim) {
        return bench.bucketName(claim);
    }

    private static String policy(String bucket) {
        return "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Sid\":\"ByTheTenant\",\"Effect\":\"Allow\",\"Principal\":\"*\","
                + "\"Action\":[\"s3:GetObject\",\"s3:PutObject\"],\"Resource\":[\"arn:aws:s3:::" + bucket + "/*\"]}]}";
    }

    private String policyText(String bucket) {
        try {
            return root().getBucketPolicy(request -> request.bucket(bucket)).policy();
        } catch (S3Exception none) {
            return "";
        }
    }

    private S3Client root() {
        return client(S3Clients.keys(access));
    }

    /** A client with the keys that the Secret of the claim has now. */
    private S3Client application(String claim) {
        return client(bench.keys(claim));
    }

    private S3Client client(Map<String, String> keys) {
        S3Client client = S3Clients.client(access.endpoint(), keys);
        clients.add(client);
        return client;
    }

    private static void put(S3Client client, String bucket) {
        client.putObject(request -> request.bucket(bucket).key("object"), RequestBody.fromString("text"));
    }

    private static boolean isRefused(S3Client client, String bucket) {
        return isForbidden(() -> client.listObjectsV2(request -> request.bucket(bucket)))
                && isForbidden(() -> client.getObjectAsBytes(
                        request -> request.bucket(bucket).key("object")))
                && isForbidden(() -> client.putObject(
                        request -> request.bucket(bucket).key("late"), RequestBody.fromString("text")));
    }

    private static boolean isForbidden(Callable<?> request) {
        try {
            request.call();
            return false;
        } catch (S3Exception e) {
            return e.statusCode() == FORBIDDEN;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void assertAnonymousRefused(String name, String bucket) {
        for (String request : List.of("GET /object", "PUT /late", "GET ", "DELETE /object")) {
            String[] parts = request.split(" ", -1);
            assertThat(anonymous(parts[0], bucket + parts[1]))
                    .as("%s: anonymous %s", name, request)
                    .isEqualTo(FORBIDDEN);
        }
    }

    private int anonymous(String method, String path) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create(access.endpoint() + "/" + path))
                                    .method(method, BodyPublishers.ofString("text"))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
