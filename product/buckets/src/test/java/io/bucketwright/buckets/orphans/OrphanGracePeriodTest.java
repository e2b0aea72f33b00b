package io.bucketwright.buckets.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrphanGracePeriodTest {

    private static final Duration GRACE = Duration.ofHours(1);
    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final ManualLeadership leadership = new ManualLeadership();
    private final InMemoryProcess process = new InMemoryProcess(server, time, leadership);

    @BeforeEach
    void start() {
        server.create(OrphanedBucket.of("uid-1", "objectbucket.io/finalizer"));
        OrphanController.register(
                process.context(), new OrphanDecision(GRACE, false, Set.of("test.io/bucket"), Set.of()));
        process.start();
        process.settle();
    }

    @AfterEach
    void close() {
        process.close();
    }

    /** While another process leads, the claim is restored and removed again; the former leader has not noticed it. */
    @Test
    void theGracePeriodStartsAgainInAnotherTerm() {
        assertThat(process.events()).hasSize(1);
        leadership.lose();
        createClaim();
        run();
        server.delete(ObjectBucketClaim.class, "team", "mine");
        time.advance(GRACE.multipliedBy(2));
        run();
        leadership.gainAfterAnotherLeader();
        process.settle();
        assertThat(isBeingDeleted()).as("it is reported first").isFalse();
        time.advance(GRACE);
        process.settle();
        assertThat(isBeingDeleted()).isTrue();
    }

    @Test
    void theGracePeriodGoesOnIfNobodyElseLed() {
        leadership.lose();
        time.advance(GRACE);
        run();
        assertThat(isBeingDeleted()).isFalse();
        leadership.gain();
        process.settle();
        assertThat(isBeingDeleted()).isTrue();
    }

    @Test
    void aClockThatIsSetDoesNotEndTheGracePeriod() {
        time.setWall(GRACE.multipliedBy(2));
        time.advance(GRACE.dividedBy(2));
        process.settle();
        assertThat(isBeingDeleted()).isFalse();
        time.setWall(GRACE.multipliedBy(-2));
        time.advance(GRACE.dividedBy(2));
        process.settle();
        assertThat(isBeingDeleted()).isTrue();
    }

    /** A process that does not lead tries again for ever, so this ends after some rounds. */
    private void run() {
        for (int round = 0; round < 10; round++) {
            process.deliverNext();
            process.runNext();
        }
    }

    private boolean isBeingDeleted() {
        return Metadata.isBeingDeleted(
                server.get(ObjectBucket.class, "", OrphanedBucket.NAME).orElseThrow());
    }

    private void createClaim() {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace("team").withName("mine").build());
        claim.setSpec(ObjectBucketClaimSpec.builder().storageClassName("fast").build());
        server.create(claim);
    }
}
