package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.FaultProxy;
import io.bucketwright.testing.HttpFault;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.SocketProxy;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** Against versitygw, with principals of its IAM API. */
@OnCluster(with = AddOn.S3)
@Order(2)
class RealStoreIT extends BucketTestBase {

    private static final HttpFault[] FAULTS = {
        new HttpFault.Status(500, ""),
        new HttpFault.Cut(),
        new HttpFault.Status(429, "1"),
        new HttpFault.Status(503, ""),
        new HttpFault.Late(300),
        new HttpFault.Status(429, ""),
        new HttpFault.Status(503, "1"),
    };

    @Test
    void anApplicationUsesTheBucketOfItsClaimAndDeletionLeavesNothing() {
        StoreAccess access = bench.s3Administrator();
        ApiUser user = cluster.user("buckets");
        bench.startInstalledStores(user);
        String storageClass = bench.storageClass("s3", bench.s3Parameters(access, Map.of("onNotEmpty", "purge")));
        bench.bind("first", storageClass);
        assertThat(cluster.requests(user).reads())
                .as("the administrator's Secret, once")
                .isEqualTo(1);
        bindWithoutReads(user, "second", storageClass);

        Map<String, String> keys = bench.keys("second");
        Map<String, String> config = bench.config("second");
        String bucket = config.getOrDefault("BUCKET_NAME", "");
        try (S3Client s3 = S3Clients.client(config.getOrDefault("BUCKET_ENDPOINT", ""), keys)) {
            S3Clients.put(s3, bucket, "world");
            assertThat(S3Clients.read(s3, bucket)).isEqualTo("world");
        }
        bench.remove("first", "second");
        try (S3Client root = S3Clients.administrator(access)) {
            assertThat(root.listBuckets().buckets().stream().map(Bucket::name)).doesNotContain(bucket);
        }
    }

    @Test
    void anApplicationNeedsNothingButTheOneSecretThatItsClaimNames() {
        StoreAccess access = bench.s3Administrator();
        Map<String, String> administrator = S3Clients.keys(access);
        ApiUser user = cluster.user("single");
        bench.startInstalledStores(user);
        String storageClass = bench.storageClass(
                "single",
                bench.s3Parameters(access, Map.of("singleSecret", "true", "applicationSecretName", "${name}-s3")));
        bench.bind("shop", storageClass);
        bench.newBucket("thief", storageClass, Map.of("applicationSecretName", "administrator"));

        assertThat(bench.secret("shop")).isNull();
        assertThat(bench.configMap("shop")).isNull();
        Map<String, String> data = bench.keys("shop-s3");
        String bucket = data.getOrDefault("BUCKET_NAME", "");
        try (S3Client s3 = S3Clients.application(data, data)) {
            S3Clients.put(s3, bucket, "world");
            s3.deleteObject(it -> it.bucket(bucket).key("hello"));
        }
        assertThat(bench.awaitReason("thief", "SecretNotOwned")).contains("/administrator ");
        assertThat(bench.keys("administrator")).isEqualTo(administrator);
        bench.remove("shop", "thief");
        assertThat(bench.secret("shop-s3")).isNull();
        assertThat(bench.keys("administrator")).isEqualTo(administrator);
    }

    @Test
    void connectionsThatAreSlowAndCutInTheMiddleMakeNothingTwice() {
        StoreAccess access = bench.s3Administrator();
        try (SocketProxy s3 = new SocketProxy(URI.create(access.endpoint()).getPort());
                SocketProxy iam =
                        new SocketProxy(URI.create(access.iamEndpoint()).getPort());
                SocketProxy api = new SocketProxy(cluster.local().port(Component.KUBE_APISERVER))) {
            bench.startInstalledStores(new ConfigBuilder(cluster.user("buckets").config())
                    .withAutoConfigure(false)
                    .withMasterUrl("https://127.0.0.1:" + api.port())
                    .build());
            String storageClass = bench.storageClass(
                    "cut",
                    bench.s3Parameters(
                            access,
                            Map.of(
                                    "endpoint", "http://127.0.0.1:" + s3.port(),
                                    "iamEndpoint", "http://127.0.0.1:" + iam.port(),
                                    "publicEndpoint", access.endpoint())));
            // A connection serves a few responses; then one that took effect does not arrive.
            for (SocketProxy store : List.of(s3, iam)) {
                store.cutResponsesAfter(900);
                store.delayResponses(10);
            }
            api.cutResponsesAfter(20_000);
            List<String> names = names("cut-", 8);
            names.forEach(name -> bench.newBucket(name, storageClass));
            Eventually.await("some responses to be cut").until(() -> s3.cut() + iam.cut() > 5 && api.cut() > 2);
            List.of(s3, iam, api).forEach(SocketProxy::restore);

            List<String> buckets = names.stream().map(bench::awaitBound).toList();
            assertThat(buckets).doesNotHaveDuplicates();
            try (S3Client root = S3Clients.administrator(access);
                    IamClient users = S3Clients.users(access)) {
                names.forEach(name -> assertOneKey(users, name));
                assertThat(root.listBuckets().buckets().stream().map(Bucket::name))
                        .containsAll(buckets);
            }
            bench.remove(names.toArray(String[]::new));
        }
    }

    @Test
    void aClaimOfAStoreWhoseResponsesTakeTwoSecondsIsBound() {
        StoreAccess access = bench.s3Administrator();
        try (SocketProxy iam = new SocketProxy(URI.create(access.iamEndpoint()).getPort())) {
            iam.delayResponses(2000);
            bench.startInstalledStores(cluster.user("buckets"));
            String storageClass = bench.storageClass(
                    "slow", bench.s3Parameters(access, Map.of("iamEndpoint", "http://127.0.0.1:" + iam.port())));
            bench.bind("slow", storageClass);
            iam.restore();
            bench.remove("slow");
        }
    }

    /** The store receives a request that nobody waits for any more, when nothing of the claim is left but the request. */
    @Test
    void aBucketThatTheStoreCreatesAfterItsClaimWasDeletedIsDeleted() {
        try (LocalStore local = LocalStore.start();
                FaultProxy s3 = FaultProxy.to(local.access().endpoint());
                S3Client root = S3Clients.administrator(local.access());
                IamClient users = S3Clients.users(local.access())) {
            bench.foreignSecret("administrator", S3Clients.keys(local.access()));
            String storageClass =
                    bench.storageClass("late", bench.s3Parameters(local.access(), Map.of("endpoint", s3.url())));
            bench.startInstalledStores(cluster.user("buckets"));
            CountDownLatch late = new CountDownLatch(1);
            s3.injectOnce("PUT /", new HttpFault.Held(late));
            bench.newBucket("late", storageClass);
            Eventually.await("the request for the bucket")
                    .until(() -> !s3.injected().isEmpty());
            bench.delete("late");
            assertThat(bench.awaitReason("late", "Deleting")).contains("after 30 seconds");
            assertThat(root.listBuckets().buckets()).isEmpty();

            late.countDown();
            Eventually.await("the bucket")
                    .until(() -> !root.listBuckets().buckets().isEmpty());
            bench.awaitDeleted("late");
            assertThat(root.listBuckets().buckets()).isEmpty();
            assertThat(users.listUsers().users()).isEmpty();
        }
    }

    /** Errors, late and cut responses of the API server, the store and its IAM API, while claims are bound and deleted. */
    @Test
    void serversThatFailNowAndThenMakeNothingTwiceAndAreNotFlooded() {
        ApiUser user = cluster.user("buckets");
        try (LocalStore local = LocalStore.start();
                FaultProxy s3 = FaultProxy.to(local.access().endpoint());
                FaultProxy iam = FaultProxy.to(local.access().iamEndpoint());
                FaultProxy api = FaultProxy.to(user);
                S3Client root = S3Clients.administrator(local.access());
                IamClient users = S3Clients.users(local.access())) {
            List<FaultProxy> proxies = List.of(s3, iam, api);
            bench.foreignSecret("administrator", S3Clients.keys(local.access()));
            String storageClass = bench.storageClass(
                    "faults",
                    bench.s3Parameters(
                            local.access(),
                            Map.of(
                                    "endpoint", s3.url(),
                                    "iamEndpoint", iam.url(),
                                    "publicEndpoint", local.access().endpoint())));
            bench.startInstalledStores(api.config());
            bench.bind("calm", storageClass);
            bench.remove("calm");
            List<Long> whole = proxies.stream().map(FaultProxy::requests).toList();

            proxies.forEach(proxy -> proxy.inject(9, FAULTS));
            List<String> names = names("fault-", 6);
            names.forEach(name -> bench.newBucket(name, storageClass));
            List<String> buckets = names.stream().map(bench::awaitBound).toList();
            assertThat(root.listBuckets().buckets().stream().map(Bucket::name))
                    .containsExactlyInAnyOrderElementsOf(buckets);
            assertThat(users.listUsers().users()).hasSize(names.size());
            names.forEach(name -> assertOneKey(users, name));
            assertThat(bench.buckets()).hasSize(names.size());

            bench.remove(names.toArray(String[]::new));
            proxies.forEach(FaultProxy::restore);
            assertThat(root.listBuckets().buckets()).isEmpty();
            assertThat(users.listUsers().users()).isEmpty();
            assertThat(proxies).allSatisfy(proxy -> assertThat(proxy.injected()).hasSizeGreaterThan(FAULTS.length / 2));
            assertThat(proxies.stream().flatMap(proxy -> proxy.injected().stream()))
                    .contains(FAULTS);
            for (int i = 0; i < proxies.size(); i++) {
                assertThat(proxies.get(i).requests())
                        .as(
                                "requests to proxy %s, whose faults were %s",
                                i, proxies.get(i).injected())
                        .isLessThan(3 * whole.get(i) * (1 + names.size()));
            }
        }
    }

    /** The published key is the only one of the claim's user in the store. */
    private void assertOneKey(IamClient users, String claim) {
        assertThat(S3Clients.keysOf(users, bench.userOf(claim)))
                .as("keys of %s", claim)
                .containsExactly(bench.keys(claim).getOrDefault("AWS_ACCESS_KEY_ID", ""));
    }
}
