package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnreachableStoreTest {

    private final World world = new World(Map.of());

    @Test
    void aClaimThatNeverReachedTheStoreIsDeletedWithoutIt() {
        world.store.failWith(() -> new Unavailable("The store does not respond."));
        world.reconcile(photos());
        assertThat(world.ready().getReason()).isEqualTo("StoreUnavailable");
        assertThat(world.bucket()).as("nothing is recorded").isEmpty();
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.objects()).isEmpty();
    }

    @Test
    void aClaimThatMayHaveReachedTheStoreIsNot() {
        world.store.before(call -> {
            if (call.equals("provision") || call.equals("delete")) {
                throw new Unavailable("The store does not respond.");
            }
        });
        world.reconcile(photos());
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.bucket()).isPresent();
        world.noFaults();
        world.settle();
        assertThat(world.objects()).isEmpty();
    }

    /** Otherwise a tenant who edits a claim in a loop calls a busy store in a loop. */
    @Test
    void aStoreThatRequestsToWaitIsNotCalledBecauseOfAnEditOrADeletion() {
        List<String> calls = new ArrayList<>();
        world.store.before(call -> {
            calls.add(call);
            if (call.equals("provision")) {
                throw new Unavailable("Busy.", new IllegalStateException(), Duration.ofMinutes(5));
            }
        });
        world.reconcile(photos());
        assertThat(calls).last().isEqualTo("provision");
        List<String> before = List.copyOf(calls);
        for (int i = 0; i < 5; i++) {
            String value = Integer.toString(i);
            world.editClaim(claim -> claim.getMetadata().setLabels(Map.of("edit", value)));
            world.reconcile();
        }
        assertThat(world.ready().getReason()).isEqualTo("StoreUnavailable");
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(calls).isEqualTo(before);
        assertThat(world.bucket()).isPresent();
        world.time.advance(Duration.ofSeconds(301));
        world.settle();
        assertThat(calls).contains("delete");
        assertThat(world.objects()).isEmpty();
    }
}
