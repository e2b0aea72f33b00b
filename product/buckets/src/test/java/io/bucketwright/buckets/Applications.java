package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.stores.StoreAccess;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/** One application for each claim, which uses its bucket until all are stopped. */
final class Applications {

    private static final Logger log = LoggerFactory.getLogger(Applications.class);

    interface Application extends AutoCloseable {
        /** Uses the bucket once; throws if that fails. */
        void use();

        @Override
        default void close() {}
    }

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Map<String, AtomicLong> requests;
    private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    private final Map<String, Thread> threads;

    Applications(Collection<String> claims, Function<String, Application> start) {
        requests = claims.stream().collect(Collectors.toMap(claim -> claim, _ -> new AtomicLong()));
        threads = requests.keySet().stream()
                .collect(Collectors.toMap(
                        claim -> claim, claim -> Thread.ofVirtual().start(() -> run(claim, start))));
    }

    /** One that puts an object with the keys that it has at that moment. */
    static Application s3(StoreAccess access, String bucket, Supplier<Map<String, String>> keys) {
        return new S3Application(access.endpoint(), bucket, keys);
    }

    private static final class S3Application implements Application {
        private final String endpoint;
        private final String bucket;
        private final Supplier<Map<String, String>> keys;
        private Map<String, String> current;
        private S3Client client;

        S3Application(String endpoint, String bucket, Supplier<Map<String, String>> keys) {
            this.endpoint = endpoint;
            this.bucket = bucket;
            this.keys = keys;
            this.current = keys.get();
            this.client = S3Clients.client(endpoint, current);
        }

        @Override
        public void use() {
            Map<String, String> now = keys.get();
            if (!now.equals(current)) {
                client.close();
                current = now;
                client = S3Clients.client(endpoint, current);
            }
            S3Clients.put(client, bucket, "world");
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private void run(String claim, Function<String, Application> start) {
        try (Application application = start.apply(claim)) {
            do {
                application.use();
                requests.getOrDefault(claim, new AtomicLong()).incrementAndGet();
            } while (!stopped.get());
        } catch (RuntimeException | AssertionError e) {
            failures.put(claim, e);
        }
    }

    /** Stops them, and fails if a request failed or an application sent none. */
    void stopWithoutFailure() throws InterruptedException {
        stopped.set(true);
        for (Thread thread : threads.values()) {
            thread.join();
        }
        log.info(
                "{} requests of {} applications, {} failures",
                requests.values().stream().mapToLong(AtomicLong::get).sum(),
                threads.size(),
                failures.size());
        assertThat(failures).isEmpty();
        assertThat(requests).allSatisfy((_, sent) -> assertThat(sent.get()).isPositive());
    }
}
