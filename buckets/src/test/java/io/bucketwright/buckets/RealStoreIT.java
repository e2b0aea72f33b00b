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
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.SocketProxy;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AccessKeyMetadata;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** Against versitygw, with principals of its IAM API. */
@OnCluster(with = AddOn.S3)
class RealStoreIT extends BenchFixture {

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
        StoreAccess access = cluster.local().s3().orElseThrow();
        bench.foreignSecret(
                "administrator",
                Map.of(
                        "AWS_ACCESS_KEY_ID", access.accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", access.secretAccessKey()));
        ApiUser user = cluster.user("buckets");
        bench.startInstalledStores(user);
        String storageClass = bench.storageClass(
                "s3",
                Map.of(
                        "endpoint", access.endpoint(),
                        "iamEndpoint", access.iamEndpoint(),
                        "region", access.region(),
                        "secretName", "administrator",
                        "secretNamespace", cluster.namespace(),
                        "onNotEmpty", "purge"));
        bench.bind("first", storageClass);
        assertThat(cluster.requests(user).reads())
                .as("the administrator's Secret, once")
                .isEqualTo(1);
        RequestCounts binding = bench.bindCounted(user, "second", storageClass);
        assertThat(binding.writes()).as("%s", binding).isEqualTo(7);
        assertThat(binding.reads()).as("%s", binding).isZero();

        Map<String, String> keys = bench.keys("second");
        Map<String, String> config = bench.config("second");
        String bucket = config.getOrDefault("BUCKET_NAME", "");
        try (S3Client s3 = client(
                config.getOrDefault("BUCKET_ENDPOINT", ""),
                keys.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""))) {
            s3.putObject(it -> it.bucket(bucket).key("hello"), RequestBody.fromString("world"));
            assertThat(s3.getObjectAsBytes(it -> it.bucket(bucket).key("hello")).asUtf8String())
                    .isEqualTo("world");
        }
        bench.remove("first", "second");
        try (S3Client root = client(access.endpoint(), access.accessKeyId(), access.secretAccessKey())) {
            assertThat(root.listBuckets().buckets().stream().map(Bucket::name)).doesNotContain(bucket);
        }
    }

    @Test
    void anApplicationNeedsNothingButTheOneSecretThatItsClaimNames() {
        StoreAccess access = cluster.local().s3().orElseThrow();
        Map<String, String> administrator = Map.of(
                "AWS_ACCESS_KEY_ID", access.accessKeyId(),
                "AWS_SECRET_ACCESS_KEY", access.secretAccessKey());
        bench.foreignSecret("administrator", administrator);
        ApiUser user = cluster.user("single");
        bench.startInstalledStores(user);
        String storageClass = bench.storageClass(
                "single",
                Map.of(
                        "endpoint", access.endpoint(),
                        "iamEndpoint", access.iamEndpoint(),
                        "region", access.region(),
                        "secretName", "administrator",
                        "secretNamespace", cluster.namespace(),
                        "singleSecret", "true",
                        "applicationSecretName", "${name}-s3"));
        bench.bind("shop", storageClass);
        bench.claim(
                "thief",
                Bench.spec(storageClass)
                        .generateBucketName("photos")
                        .additionalConfig(Map.of("applicationSecretName", "administrator")));

        assertThat(bench.secret("shop")).isNull();
        assertThat(bench.configMap("shop")).isNull();
        Map<String, String> data = bench.keys("shop-s3");
        String bucket = data.getOrDefault("BUCKET_NAME", "");
        try (S3Client s3 = S3Client.builder()
                .endpointOverride(URI.create(data.getOrDefault("AWS_ENDPOINT_URL", "")))
                .region(Region.of(data.getOrDefault("AWS_REGION", "")))
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        data.getOrDefault("AWS_ACCESS_KEY_ID", ""), data.getOrDefault("AWS_SECRET_ACCESS_KEY", ""))))
                .build()) {
            s3.putObject(it -> it.bucket(bucket).key("hello"), RequestBody.fromString("world"));
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
        StoreAccess access = cluster.local().s3().orElseThrow();
        bench.foreignSecret(
                "administrator",
                Map.of(
                        "AWS_ACCESS_KEY_ID", access.accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", access.secretAccessKey()));
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
                    Map.of(
                            "endpoint",
                            "http://127.0.0.1:" + s3.port(),
                            "iamEndpoint",
                            "http://127.0.0.1:" + iam.port(),
                            "publicEndpoint",
                            access.endpoint(),
                            "region",
                            access.region(),
                            "secretName",
                            "administrator",
                            "secretNamespace",
                            cluster.namespace()));
            // A connection serves a few responses; then one that took effect does not arrive.
            for (SocketProxy store : List.of(s3, iam)) {
                store.cutResponsesAfter(900);
                store.delayResponses(10);
            }
            api.cutResponsesAfter(20_000);
            List<String> names = IntStream.range(0, 8).mapToObj(i -> "cut-" + i).toList();
            names.forEach(name -> bench.newBucket(name, storageClass));
            Eventually.await("some responses to be cut").until(() -> s3.cut() + iam.cut() > 5 && api.cut() > 2);
            List.of(s3, iam, api).forEach(SocketProxy::restore);

            List<String> buckets = names.stream().map(bench::awaitBound).toList();
            assertThat(buckets).doesNotHaveDuplicates();
            try (S3Client root = client(access.endpoint(), access.accessKeyId(), access.secretAccessKey());
                    IamClient users = users(access)) {
                for (String name : names) {
                    String key = bench.keys(name).getOrDefault("AWS_ACCESS_KEY_ID", "");
                    assertThat(users.listAccessKeys(request -> request.userName("bw-"
                                            + bench.get(name).getMetadata().getUid()))
                                    .accessKeyMetadata())
                            .as("keys of %s", name)
                            .extracting(AccessKeyMetadata::accessKeyId)
                            .containsExactly(key);
                }
                assertThat(root.listBuckets().buckets().stream().map(Bucket::name))
                        .containsAll(buckets);
            }
            bench.remove(names.toArray(String[]::new));
        }
    }

    @Test
    void aClaimOfAStoreWhoseResponsesTakeTwoSecondsIsBound() {
        StoreAccess access = cluster.local().s3().orElseThrow();
        bench.foreignSecret(
                "administrator",
                Map.of(
                        "AWS_ACCESS_KEY_ID", access.accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", access.secretAccessKey()));
        try (SocketProxy iam = new SocketProxy(URI.create(access.iamEndpoint()).getPort())) {
            iam.delayResponses(2000);
            bench.startInstalledStores(cluster.user("buckets"));
            String storageClass = bench.storageClass(
                    "slow",
                    Map.of(
                            "endpoint", access.endpoint(),
                            "iamEndpoint", "http://127.0.0.1:" + iam.port(),
                            "region", access.region(),
                            "secretName", "administrator",
                            "secretNamespace", cluster.namespace()));
            bench.bind("slow", storageClass);
            iam.restore();
            bench.remove("slow");
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
                S3Client root = client(
                        local.access().endpoint(),
                        local.access().accessKeyId(),
                        local.access().secretAccessKey());
                IamClient users = users(local.access())) {
            List<FaultProxy> proxies = List.of(s3, iam, api);
            bench.foreignSecret(
                    "administrator",
                    Map.of(
                            "AWS_ACCESS_KEY_ID", local.access().accessKeyId(),
                            "AWS_SECRET_ACCESS_KEY", local.access().secretAccessKey()));
            String storageClass = bench.storageClass(
                    "faults",
                    Map.of(
                            "endpoint", s3.url(),
                            "iamEndpoint", iam.url(),
                            "publicEndpoint", local.access().endpoint(),
                            "region", local.access().region(),
                            "secretName", "administrator",
                            "secretNamespace", cluster.namespace()));
            bench.startInstalledStores(api.config());
            bench.bind("calm", storageClass);
            bench.remove("calm");
            List<Long> whole = proxies.stream().map(FaultProxy::requests).toList();

            proxies.forEach(proxy -> proxy.inject(9, FAULTS));
            List<String> names =
                    IntStream.range(0, 6).mapToObj(i -> "fault-" + i).toList();
            names.forEach(name -> bench.newBucket(name, storageClass));
            List<String> buckets = names.stream().map(bench::awaitBound).toList();
            assertThat(root.listBuckets().buckets().stream().map(Bucket::name))
                    .containsExactlyInAnyOrderElementsOf(buckets);
            assertThat(users.listUsers().users()).hasSize(names.size());
            for (String name : names) {
                assertThat(keys(users, name))
                        .as("keys of %s", name)
                        .containsExactly(bench.keys(name).getOrDefault("AWS_ACCESS_KEY_ID", ""));
            }
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

    private List<String> keys(IamClient users, String claim) {
        return users
                .listAccessKeys(request ->
                        request.userName("bw-" + bench.get(claim).getMetadata().getUid()))
                .accessKeyMetadata()
                .stream()
                .map(AccessKeyMetadata::accessKeyId)
                .toList();
    }

    private static IamClient users(StoreAccess access) {
        return IamClient.builder()
                .endpointOverride(URI.create(access.iamEndpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(access.accessKeyId(), access.secretAccessKey())))
                .build();
    }

    private static S3Client client(String endpoint, String id, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret)))
                .build();
    }
}
