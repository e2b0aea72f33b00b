package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.BucketOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A purge on a real store needs a heap that does not depend on how much is in the bucket. The figures of docs/stores.md are
 * from {@code -Dbucketwright.purge.objects=100000}, with {@code -Dbucketwright.purge.store=s3} and {@code minio}.
 */
final class PurgeHeapIT {

    private static final Logger LOG = LoggerFactory.getLogger(PurgeHeapIT.class);

    private static final int OBJECTS = Integer.getInteger("bucketwright.purge.objects", 3_000);
    private static final StoreKind KIND = StoreKind.valueOf(
            System.getProperty("bucketwright.purge.store", "s3").toUpperCase(Locale.ROOT));
    private static final int WRITERS = 16;

    /** The code of the SDK, of the store, and one page with the requests that delete it. */
    private static final long MOST_LIVE_BYTES = 24 << 20;

    private final BucketName bucket = BucketName.generate("purge", new SecureRandom());
    private final BucketOwner owner = new BucketOwner("it-cluster", "purge");

    @Test
    void manyObjectsArePurgedWithASmallHeap() throws Exception {
        try (LocalStore server = LocalStore.start(KIND)) {
            StoreAccess access = server.access();
            S3UnderTest tools = new S3UnderTest(
                    new StoreAdministrator(parameters(access), access.accessKeyId(), access.secretAccessKey()));
            try (CompleteStore store = tools.store()) {
                store.provision(
                        call(),
                        new ProvisionRequest(
                                bucket, Naming.GENERATED, owner, Access.none(), BucketOptions.unmanaged(), Set.of()));
            }
            long start = System.nanoTime();
            fill(server.dir(), tools.administrator().s3());
            long filled = System.nanoTime();
            Properties result = purge(access);
            LOG.info(
                    "{}: {} objects were written in {} ms and deleted in {} ms: {}",
                    KIND,
                    OBJECTS,
                    (filled - start) / 1_000_000,
                    (System.nanoTime() - filled) / 1_000_000,
                    result);
            assertThat(tools.bucketExists(bucket)).isFalse();
            assertThat(Long.parseLong(result.getProperty("live", "0"))).isBetween(1L, MOST_LIVE_BYTES);
            // A list and four deletions for each page of 1,000, and a few requests for each call.
            assertThat(Long.parseLong(result.getProperty("requests", "0")))
                    .isLessThan(OBJECTS * 5L / 1_000 + 10 * Long.parseLong(result.getProperty("calls", "0")) + 20);
        }
    }

    private static Map<String, String> parameters(StoreAccess access) {
        Map<String, String> parameters =
                new HashMap<>(Map.of("endpoint", access.endpoint(), "region", access.region()));
        if (KIND == StoreKind.MINIO) {
            parameters.put("identity", "minio");
        } else {
            parameters.put("iamEndpoint", access.iamEndpoint());
        }
        return parameters;
    }

    /** versitygw serves the files of a folder; other stores get requests. */
    private void fill(Path dir, S3Client s3) throws Exception {
        AtomicInteger next = new AtomicInteger();
        RequestBody text = RequestBody.fromString("x");
        Path data = dir.resolve(KIND.text()).resolve("data").resolve(bucket.text());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<?> writer : IntStream.range(0, WRITERS)
                    .mapToObj(_ -> threads.submit(() -> {
                        for (int i = next.getAndIncrement(); i < OBJECTS; i = next.getAndIncrement()) {
                            String key = "folder-" + i / 1_000 + "/object-" + i;
                            if (KIND == StoreKind.S3) {
                                Path file = data.resolve(key);
                                Files.createDirectories(file.getParent());
                                Files.writeString(file, "x");
                            } else {
                                s3.putObject(
                                        request -> request.bucket(bucket.text()).key(key), text);
                            }
                        }
                        return true;
                    }))
                    .toList()) {
                assertThat(writer.get()).isEqualTo(true);
            }
        }
    }

    /** Purges the bucket in a process with a heap that is too small for a list of all objects. */
    private Properties purge(StoreAccess access) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PurgeProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Properties input = new Properties();
            input.putAll(parameters(access));
            input.putAll(Map.of(
                    "bucket", bucket.text(),
                    "cluster", owner.clusterId(),
                    "uid", owner.uid(),
                    "id", access.accessKeyId(),
                    "secret", access.secretAccessKey()));
            try (OutputStream out = process.getOutputStream()) {
                input.store(out, null);
            }
            Properties result = new Properties();
            result.load(process.inputReader(StandardCharsets.UTF_8));
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isZero();
            return result;
        } finally {
            process.destroyForcibly();
        }
    }
}
