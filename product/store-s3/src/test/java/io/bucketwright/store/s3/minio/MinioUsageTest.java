package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.s3.LoopbackServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The usage of buckets in MinIO: counted if they are small, as its scanner measured them if they are large. */
class MinioUsageTest {

    private static final BucketName BUCKET = new BucketName("photos");
    private static final String MEASURED = "/minio/admin/v3/datausageinfo";

    /** More objects than one call of usage counts: each list response contains one object. */
    private static final int MANY = 1_000;

    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final LoopbackServer server = new LoopbackServer(this::respond);
    private int objects = MANY;
    private int status = 200;
    private String measured = "";

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aSmallBucketIsCounted() {
        objects = 3;
        measured = "{\"photos\": {\"size\": 5, \"objectsCount\": 1}}";
        assertThat(usage()).isEqualTo(new Usage(30, 3, true));
        assertThat(requests).doesNotContain(MEASURED);
    }

    @Test
    void aLargeBucketHasTheUsageThatMinioMeasured() {
        measured = "{\"other\": {\"size\": 1, \"objectsCount\": 1},"
                + " \"photos\": {\"size\": 70000, \"objectsCount\": 7000, \"versionsCount\": 8000}}";
        assertThat(usage()).isEqualTo(new Usage(70_000, 7_000, true));
        assertThat(requests).containsOnlyOnce(MEASURED);
    }

    @Test
    void aLargeBucketThatMinioHasNotMeasuredHasALowerBound() {
        measured = "{}";
        Usage counted = usage();
        assertThat(counted.complete()).isFalse();
        assertThat(counted.objects()).isPositive();
        measured = "{\"photos\": {\"size\": 10, \"objectsCount\": 1}}";
        assertThat(usage()).as("measured before most objects were written").isEqualTo(counted);
        status = 403;
        assertThat(usage()).as("without the permission").isEqualTo(counted);
    }

    @Test
    void theUsageOfMoreBucketsThanAResponseMayHoldIsALowerBound() {
        measured = "{}";
        Usage counted = usage();
        measured =
                "{\"photos\": {\"size\": 70000, \"objectsCount\": 7000}, \"other\": \"" + "x".repeat(5 << 20) + "\"}";
        assertThat(usage()).isEqualTo(counted);
    }

    private Usage usage() {
        requests.clear();
        try (CompleteStore store = server.open(Map.of("identity", "minio"))) {
            return store.usage(call(), BUCKET);
        }
    }

    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        boolean list = !path.equals(MEASURED);
        long number = requests.stream().filter(path::equals).count();
        String body = list
                ? "<ListBucketResult><IsTruncated>" + (number < objects) + "</IsTruncated><NextContinuationToken>"
                        + number + "</NextContinuationToken><Contents><Key>" + number
                        + "</Key><Size>10</Size></Contents></ListBucketResult>"
                : status == 200
                        ? "{\"lastUpdate\": \"2026-11-17T07:00:00Z\", \"bucketsUsageInfo\": " + measured + "}"
                        : "{\"Code\": \"AccessDenied\"}";
        LoopbackServer.respond(exchange, list ? 200 : status, body);
    }
}
