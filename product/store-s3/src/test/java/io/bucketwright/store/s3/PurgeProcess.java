package io.bucketwright.store.s3;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.SecretValue;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Deletes a bucket with its objects, in a JVM of its own, and prints how many calls that took and the most live bytes on its
 * heap. They are measured by a full collection before every so many requests, while a page of the bucket is in memory.
 */
final class PurgeProcess {

    private static final int REQUESTS_BETWEEN_MEASUREMENTS = 10;

    private PurgeProcess() {}

    /** Reads the class parameters, the bucket, its owner and the administrator's key from standard input. */
    public static void main(String[] arguments) {
        Map<String, String> parameters = read();
        BucketName bucket = new BucketName(take(parameters, "bucket"));
        BucketOwner owner = new BucketOwner(take(parameters, "cluster"), take(parameters, "uid"));
        AdministratorSecret secret = new AdministratorSecret(Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of(take(parameters, "id")),
                "AWS_SECRET_ACCESS_KEY", SecretValue.of(take(parameters, "secret"))));
        LiveHeap heap = new LiveHeap(new AtomicLong(), new AtomicLong());
        S3StoreFactory factory = new S3StoreFactory();
        try (CompleteStore store = factory.open(factory.parameters().parse(parameters), secret, List.of(heap))) {
            DeleteRequest request = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
            long calls = 1;
            while (store.delete(StoreCall.within(Duration.ofSeconds(60)), request) instanceof Progress.More) {
                calls++;
            }
            System.out.println("calls=" + calls);
            System.out.println("requests=" + heap.requests());
            System.out.println("live=" + heap.most());
        }
    }

    private record LiveHeap(AtomicLong requests, AtomicLong most) implements ExecutionInterceptor {

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            if (requests.getAndIncrement() % REQUESTS_BETWEEN_MEASUREMENTS == 0) {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                most.accumulateAndGet(runtime.totalMemory() - runtime.freeMemory(), Math::max);
            }
        }
    }

    private static Map<String, String> read() {
        Properties properties = new Properties();
        try {
            properties.load(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> parameters = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> parameters.put(name, properties.getProperty(name)));
        return parameters;
    }

    private static String take(Map<String, String> parameters, String name) {
        String value = parameters.remove(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }
}
