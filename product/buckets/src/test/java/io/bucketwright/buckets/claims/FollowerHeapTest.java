package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A follower keeps nothing of the events that it sees while another process leads. */
@Isolated("It measures the heap")
class FollowerHeapTest {

    private static final int EVENTS = Integer.getInteger("bucketwright.follower.events", 20_000);
    private static final int MOST_BYTES_PER_EVENT = 20;

    private final World world = new World(Map.of());
    private final ManualLeadership leadership = new ManualLeadership();

    @Test
    void aFollowerOfABusyLeaderDoesNotGrow() {
        world.stop();
        leadership.lose();
        try (InMemoryProcess follower = world.start(leadership)) {
            claims(follower, 0, EVENTS / 4);
            long before = usedHeap();
            claims(follower, EVENTS / 4, EVENTS / 4 + EVENTS / 2);
            assertThat(usedHeap() - before).isLessThan((long) MOST_BYTES_PER_EVENT * EVENTS);
            world.claim(World.NAMESPACE, "later", photos());
            leadership.gainAfterAnotherLeader();
            follower.settle();
            assertThat(world.store.calls()).as("only what exists is reconciled").containsExactly("provision");
        }
    }

    /** Two events of each claim. */
    private void claims(InMemoryProcess follower, int from, int to) {
        for (int i = from; i < to; i++) {
            world.claim(World.NAMESPACE, "mine-" + i, photos());
            world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, "mine-" + i);
            // A follower's workers wait: it sees events, and reconciles nothing.
            boolean delivered = follower.deliverNext();
            while (delivered) {
                delivered = follower.deliverNext();
            }
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
