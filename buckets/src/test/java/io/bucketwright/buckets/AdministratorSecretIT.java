package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an administrator changes in the Secret is used, although the store would still accept what was there before. */
@OnCluster(with = AddOn.S3)
class AdministratorSecretIT extends BenchFixture {

    @Test
    void aSharedKeyThatWasReplacedReachesBoundAndNewClaims() {
        StoreAccess access = bench.s3Administrator();
        bench.startInstalledStores(cluster.user("shared"));
        String users = bench.storageClass("users", bench.s3Parameters(access, Map.of()));
        bench.bind("one", users);
        bench.bind("two", users);
        bench.foreignSecret("shared", shared(access, "one"));
        String storageClass = bench.storageClass(
                "shared", bench.s3Parameters(access, Map.of("identity", "static", "secretName", "shared")));
        bench.bind("bound", storageClass);
        assertThat(bench.keys("bound")).isEqualTo(bench.keys("one"));

        bench.replaceSecret("shared", shared(access, "two"));
        Eventually.await("the new key of the bound claim")
                .until(() -> bench.keys("bound").equals(bench.keys("two")));
        bench.awaitBound("bound");
        bench.bind("new", storageClass);
        assertThat(bench.keys("new")).isEqualTo(bench.keys("two"));
        bench.remove("bound", "new", "one", "two");
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

    private Map<String, String> shared(StoreAccess access, String claim) {
        Map<String, String> data = new HashMap<>(S3Clients.keys(access));
        Map<String, String> keys = bench.keys(claim);
        data.put("SHARED_ACCESS_KEY_ID", keys.getOrDefault("AWS_ACCESS_KEY_ID", ""));
        data.put("SHARED_SECRET_ACCESS_KEY", keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
        return data;
    }
}
