package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.vendors.Vendor;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.grpc.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver takes minutes for a call, longer than the lease of the sidecar. */
class SlowCallTest {

    @TempDir
    private Path folder = Path.of("/");

    private ReleasedWorld world;
    private InMemoryProcess controller;

    @BeforeEach
    void open() {
        world = new ReleasedWorld(Vendor.LINODE, folder);
        world.bucketClass("Delete");
        controller = world.controller();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void theDeadlineOfACallIsThatOfTheDriverAndNotThatOfTheLease() {
        List<Duration> deadlines = new CopyOnWriteArrayList<>();
        world.driver.beforeEffect(_ -> Optional.ofNullable(Context.current().getDeadline())
                .ifPresent(deadline -> deadlines.add(Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS)))));
        ManualLeadership leadership = new ManualLeadership();
        leadership.remaining(Duration.ofSeconds(10));
        world.claim("photos", "");
        ReleasedWorld.settle(controller, world.sidecar(leadership, Duration.ofMinutes(10)));
        assertThat(deadlines).singleElement().satisfies(left -> assertThat(left).isGreaterThan(Duration.ofMinutes(9)));
    }

    /** If the first one leads again, its term is another one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theAnswerOfACallThatOutlivesTheTermIsDroppedAndTheNextLeaderSettlesIt(boolean leadsAgain) {
        ManualLeadership first = new ManualLeadership();
        ManualLeadership second = new ManualLeadership();
        second.lose();
        InMemoryProcess old = world.sidecar(first);
        InMemoryProcess successor = world.sidecar(second);
        AtomicInteger writes = new AtomicInteger();
        AtomicBoolean late = new AtomicBoolean(true);
        world.driver.afterEffect(_ -> {
            if (late.getAndSet(false)) {
                first.lose();
                writes.set(old.writes().size());
                second.gain();
                successor.settle();
                if (leadsAgain) {
                    second.lose();
                    first.gainAfterAnotherLeader();
                }
            }
        });
        BucketClaim claim = world.claim("photos", "");
        controller.settle();
        for (int round = 0; round < 40; round++) {
            old.deliverNext();
            old.runNext();
        }
        ReleasedWorld.settle(controller);
        assertThat(world.claim("photos").status())
                .isEqualTo(new BucketClaimStatus(true, ReleasedWorld.bucketName(claim)));
        assertThat(world.driver.backend().buckets()).hasSize(1);
        assertThat(world.driver.requests(DriverCreateBucketRequest.class)).hasSize(2);
        assertThat(old.writes()).hasSize(writes.get());
    }

    @Test
    void anEventSaysSinceWhenACallIsInProgress() {
        world.driver.beforeEffect(_ -> world.time.advance(Duration.ofSeconds(31)));
        world.claim("photos", "");
        InMemoryProcess sidecar = world.sidecar(Leadership.always());
        ReleasedWorld.settle(controller, sidecar);
        assertThat(ReleasedWorld.events(sidecar))
                .filteredOn(event -> event.contains(ReleasedReason.DRIVER_CALL_IN_PROGRESS))
                .hasSize(2)
                .allMatch(event -> event.contains("CreateBucket since 2026-11-15T00:00:0"))
                .anyMatch(event -> event.startsWith("BucketClaim"));
    }

    @Test
    void aCallThatEndsSoonIsNotReported() {
        world.driver.beforeEffect(_ -> world.time.advance(Duration.ofSeconds(29)));
        world.claim("photos", "");
        InMemoryProcess sidecar = world.sidecar(Leadership.always());
        ReleasedWorld.settle(controller, sidecar);
        world.time.advance(Duration.ofMinutes(5));
        assertThat(ReleasedWorld.events(sidecar))
                .noneMatch(event -> event.contains(ReleasedReason.DRIVER_CALL_IN_PROGRESS));
        assertThat(world.server.list(ReleasedBucket.class))
                .allMatch(bucket -> bucket.status().bucketReady());
    }
}
