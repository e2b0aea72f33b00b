package io.bucketwright.buckets.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which objects the orphan controller checks again, and when. */
class OrphanWatchTest {

    private static final Duration GRACE = Duration.ofHours(1);
    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final InMemoryProcess process = new InMemoryProcess(server, time, new ManualLeadership());

    @BeforeEach
    void start() {
        OrphanController.register(
                process.context(), new OrphanDecision(GRACE, false, Set.of("test.io/bucket"), Set.of()));
        process.start();
    }

    @AfterEach
    void close() {
        process.close();
    }

    /** As after a restore: the claim names the ObjectBucket, which belongs to the former claim or to none. */
    @Test
    void aClaimIsCheckedWhenTheObjectBucketThatItNamesIsDeleted() {
        server.create(OrphanedBucket.of("former"));
        createClaim();
        process.settle();
        assertThat(process.events()).isEmpty();

        server.delete(ObjectBucket.class, "", OrphanedBucket.NAME);
        process.settle();

        assertThat(process.events()).extracting(Event::getReason).containsExactly("ObjectBucketMissing");
    }

    /** The watch may never show the claim: if it is deleted before the next list, there is no event. */
    @Test
    void anOrphanWhoseClaimOnlyTheApiServerShowsIsCheckedAgain() {
        server.create(OrphanedBucket.of("former"));
        process.settle();
        createClaim();
        time.advance(GRACE);
        assertThat(process.runNext()).as("a read shows the claim").isTrue();
        assertThat(process.runNext()).isFalse();

        time.advance(Duration.ofMinutes(10));

        assertThat(process.runNext()).as("the orphan is checked again").isTrue();
    }

    private void createClaim() {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace("team").withName("mine").build());
        claim.setSpec(ObjectBucketClaimSpec.builder()
                .storageClassName("fast")
                .objectBucketName(OrphanedBucket.NAME)
                .build());
        claim.setStatus(BucketStatus.of(Phase.BOUND, List.of(), 1));
        server.create(claim);
    }
}
