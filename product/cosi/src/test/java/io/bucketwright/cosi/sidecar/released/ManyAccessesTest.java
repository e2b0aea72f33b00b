package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Bucket that has the records of very many accesses, in the cache of a sidecar. */
class ManyAccessesTest {

    private static final int ACCESSES = 300;

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final InMemoryProcess process = new InMemoryProcess(server, new ManualTime(), new ManualLeadership());
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private ReleasedSidecarCaches caches;

    @BeforeEach
    void watch() {
        ReleasedBucket bucket = ReleasedObjects.readyBucket();
        for (int number = 0; number < ACCESSES; number++) {
            annotations.put(ReleasedNames.ACCOUNTS + "%036d".formatted(number), rotated(number));
        }
        annotations.put("kubectl.kubernetes.io/last-applied-configuration", "{}");
        bucket.getMetadata().setAnnotations(annotations);
        server.create(bucket);
        caches = new ReleasedSidecarCaches(process.context().caches(), ReleasedObjects.DRIVER);
        process.start().settle();
    }

    @AfterEach
    void close() {
        process.close();
    }

    private static String rotated(int number) {
        String former = "ba-%036d".formatted(number);
        return AccountRecord.NONE
                .started("2026-11-17T11:00:00Z", former)
                .published("2026-11-17T13:00:00.123456789Z")
                .renewedAt(ReleasedObjects.NOW)
                .encode();
    }

    @Test
    void theSidecarKnowsTheRecordsOfAllAccessesOfABucket() {
        assertThat(caches.buckets.list())
                .singleElement()
                .satisfies(bucket -> assertThat(Metadata.annotations(bucket)).isEqualTo(annotations));
    }

    /** Kubernetes allows 256 KiB of annotations; docs/security.md has the number of accesses. */
    @Test
    void theRecordOfARotatedAccessIsAsLargeAsTheDocumentationSays() {
        String key = ReleasedNames.ACCOUNTS + "0".repeat(36);
        assertThat(key.length() + rotated(0).length()).isLessThanOrEqualTo((256 << 10) / 900);
    }
}
