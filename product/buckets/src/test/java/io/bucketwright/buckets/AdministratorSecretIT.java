package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** What an administrator changes in the Secret is used, although the store would still accept what was there before. */
@OnCluster(with = AddOn.S3)
@Order(5)
class AdministratorSecretIT extends BucketTestBase {

    private static final int CLAIMS = Integer.getInteger("bucketwright.change.claims", 3);

    @Test
    void aSharedKeyThatWasReplacedReachesBoundAndNewClaimsWhichWorkAllTheTime() throws InterruptedException {
        StoreAccess access = bench.s3Administrator();
        bench.startInstalledStores(cluster.user("shared"));
        String users = bench.storageClass("users", bench.s3Parameters(access, Map.of("onNotEmpty", "purge")));
        String bucket = bench.bind("one", users);
        Map<String, String> one = bench.keys("one");
        String another = bench.bind("two", users);
        bench.foreignSecret("shared", shared(access, "one"));
        String storageClass = bench.storageClass(
                "shared", bench.s3Parameters(access, Map.of("identity", "static", "secretName", "shared")));
        List<String> claims = names("bound-", CLAIMS);
        for (String claim : claims) {
            bench.bind(claim, storageClass);
            assertThat(bench.keys(claim)).isEqualTo(one);
        }

        Applications withTheFormerKey = new Applications(claims, _ -> Applications.s3(access, bucket, () -> one));
        // The store gives each key one bucket, whatever claim it is published for.
        Applications withTheirSecrets = new Applications(claims, claim -> new Applications.Application() {
            @Override
            public void use() {
                Map<String, String> keys = bench.keys(claim);
                try (Applications.Application now =
                        Applications.s3(access, keys.equals(one) ? bucket : another, () -> keys)) {
                    now.use();
                }
            }
        });
        bench.replaceSecret("shared", shared(access, "two"));
        for (String claim : claims) {
            Eventually.await("the new key of " + claim)
                    .until(() -> bench.keys(claim).equals(bench.keys("two")));
            bench.awaitBound(claim);
        }
        withTheirSecrets.stopWithoutFailure();
        withTheFormerKey.stopWithoutFailure();
        bench.bind("new", storageClass);
        assertThat(bench.keys("new")).isEqualTo(bench.keys("two"));
        bench.remove(claims.toArray(String[]::new));
        bench.remove("new", "one", "two");
    }

    @Test
    void anAdministratorThatWasReplacedByALimitedUserIsNotUsedAnyMore() {
        StoreAccess access = bench.s3Administrator();
        bench.startInstalledStores(cluster.user("limited"));
        String storageClass = bench.storageClass("limited", bench.s3Parameters(access, Map.of()));
        bench.bind("donor", storageClass);
        Map<String, String> administrator = S3Clients.keys(access);
        Map<String, String> limited = new HashMap<>(bench.keys("donor"));
        limited.keySet().retainAll(administrator.keySet());

        bench.replaceSecret("administrator", limited);
        Eventually.await("a claim that the store denies").until(() -> {
            String name = "probe-" + System.nanoTime();
            bench.newBucket(name, storageClass);
            Eventually.await("a result").until(() -> !bench.reason(name).isEmpty());
            return bench.reason(name).equals("StoreDenied");
        });
        bench.replaceSecret("administrator", administrator);
        bench.remove("donor");
    }

    /** Whoever uses a bucket through another address keeps it, also if the store no longer shows the tags to that class. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aKeyThatTheStoreRejectsIsNoProofThatABucketIsAnotherOne(boolean known) {
        StoreAccess access = bench.s3Administrator();
        bench.startInstalledStores(cluster.user("rejected"));
        String own = bench.storageClass("own", bench.s3Parameters(access, Map.of("onNotEmpty", "purge")));
        String bucket = bench.bind("photos", own);
        bench.bind("donor", own);
        Map<String, String> administrator = S3Clients.keys(access);
        bench.foreignSecret("second", administrator);
        String guests = bench.storageClass(
                "guests",
                bench.s3Parameters(
                        access,
                        Map.of(
                                "endpoint",
                                access.endpoint().replace("127.0.0.1", "localhost"),
                                "secretName",
                                "second",
                                "bucketName",
                                bucket)));
        bench.claim("guest", BucketFixture.spec(guests));
        bench.awaitPhase("guest", Phase.BOUND);
        try (S3Client s3 = S3Clients.client(access.endpoint(), bench.keys("guest"))) {
            s3.putObject(it -> it.bucket(bucket).key("precious"), RequestBody.fromString("data"));
            Map<String, String> rejected = new HashMap<>(known ? bench.keys("donor") : administrator);
            rejected.keySet().retainAll(administrator.keySet());
            if (!known) {
                rejected.replaceAll((_, value) -> value + "x");
            }
            bench.replaceSecret("second", rejected);
            bench.delete("photos");
            assertThat(bench.awaitReason("photos", "BucketShared")).contains("1 other claim");
            assertThat(s3.getObjectAsBytes(it -> it.bucket(bucket).key("precious"))
                            .asUtf8String())
                    .isEqualTo("data");
        }
        bench.replaceSecret("second", administrator);
        bench.remove("guest", "photos", "donor");
    }

    private Map<String, String> shared(StoreAccess access, String claim) {
        Map<String, String> data = new HashMap<>(S3Clients.keys(access));
        Map<String, String> keys = bench.keys(claim);
        data.put("SHARED_ACCESS_KEY_ID", keys.getOrDefault("AWS_ACCESS_KEY_ID", ""));
        data.put("SHARED_SECRET_ACCESS_KEY", keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
        return data;
    }
}
