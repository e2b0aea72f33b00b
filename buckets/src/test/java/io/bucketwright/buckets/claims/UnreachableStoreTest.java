package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnreachableStoreTest {

    private final World world = new World(Map.of());

    @Test
    void aClaimThatNeverReachedTheStoreIsDeletedWithoutIt() {
        world.store.before(call -> {
            throw new Unavailable("The store does not respond.");
        });
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        world.reconcile();
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
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        world.reconcile();
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.bucket()).isPresent();
        world.noFaults();
        world.settle();
        assertThat(world.objects()).isEmpty();
    }
}
