package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.server.Component;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.s3.S3Application;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What MinIO does with the usage that its scanner measures: it enforces quotas and reports it. The scanner of this server
 * begins a cycle every second, not every minute.
 */
final class MinioScannerIT {

    /** MinIO reads what the scanner measured at most every ten seconds. */
    private static final Duration DEADLINE = Duration.ofSeconds(55);

    private static final String OBJECT = "x".repeat(600);

    private final BucketName bucket = BucketName.generate("it", new SecureRandom());
    private final BucketOwner owner = new BucketOwner("it-cluster", "0c1f9a52-scanner");

    @Test
    void aFullBucketRefusesObjectsUntilItsQuotaIsRaised() throws InterruptedException {
        try (MinioServer server = MinioServer.start()) {
            scanEverySecond(server);
            try (CompleteStore store = server.store();
                    MinioAdmin admin =
                            new MinioAdmin(server.administrator().clients().admin(), new SecureRandom())) {
                ObjectClient application = new S3Application(store.provision(
                        call(),
                        new ProvisionRequest(bucket, Naming.GIVEN, owner, Access.readWrite(), quota(1_000), Set.of())));
                application.put("first", OBJECT);
                await(() -> admin.measuredUsage(call(), bucket).equals(Optional.of(new Usage(600, 1, true))));
                await(() -> isRefused(application));
                store.update(call(), new UpdateRequest(bucket, owner, Access.readWrite(), quota(10_000)));
                assertThat(isRefused(application)).isFalse();
            }
        }
    }

    /** The setting applies from the start of the server. */
    private static void scanEverySecond(MinioServer server) {
        try (AdminClient client = server.administrator().clients().admin()) {
            byte[] _ = client.send(
                    call(),
                    "set the speed of the scanner",
                    AdminRequest.of(SdkHttpMethod.PUT, "/minio/admin/v3/set-config-kv")
                            .withBody(new EncryptedBody(client.secret(), new SecureRandom())
                                    .encrypt("scanner speed=fastest")));
        }
        server.servers().stop(Component.MINIO);
        server.servers().start(Component.MINIO);
    }

    private static boolean isRefused(ObjectClient application) {
        try {
            application.put("second", OBJECT);
            return false;
        } catch (S3Exception e) {
            assertThat(e.awsErrorDetails().errorCode()).isEqualTo("XMinioAdminBucketQuotaExceeded");
            return true;
        }
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(DEADLINE).pollInterval(Duration.ofMillis(300)).until(condition);
    }

    private static BucketOptions quota(long bytes) {
        return BucketOptions.of(new Quota(bytes, Quota.UNLIMITED));
    }
}
