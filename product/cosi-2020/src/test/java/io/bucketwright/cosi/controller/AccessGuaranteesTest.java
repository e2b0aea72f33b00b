package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds about access whatever tenants and administrators delete, in any order. */
class AccessGuaranteesTest {

    @Test
    void deletingARetainedBucketEndsNoAccessOfTheNextRequestOfThatName() {
        try (World world = new World(ReleasePolicy.RETAIN)) {
            Bucket former = bound(world);
            world.delete(world.accessRequest("a", "viewer").orElseThrow());
            world.delete(world.request("a", "photos").orElseThrow());
            world.settle();
            assertThat(world.accounts).isEmpty();

            bound(world);
            world.delete(world.bucket(World.name(former)).orElseThrow());
            world.settle();
            assertThat(world.bucket(World.name(former))).isEmpty();
            assertThat(world.accessRequest("a", "viewer").orElseThrow().phase())
                    .isEqualTo(BucketAccessRequestPhase.BOUND);
            assertThat(world.all(BucketAccess.class)).hasSize(1);
            assertThat(world.accounts).hasSize(1);
        }
    }

    @Test
    void aBucketIsNotReleasedWhileAnAccessOfARemovedRequestIsAlive() {
        try (World world = new World(ReleasePolicy.RETAIN)) {
            Bucket bucket = bound(world);
            HasMetadata request = world.request("a", "photos").orElseThrow();
            world.editMetadata(request, metadata -> metadata.withFinalizers(List.of()));
            world.delete(request);
            world.settle();
            assertThat(world.bucket(World.name(bucket)).orElseThrow().phase()).isEqualTo(BucketPhase.BOUND);
            assertThat(world.accounts).hasSize(1);

            world.delete(world.accessRequest("a", "viewer").orElseThrow());
            world.settle();
            assertThat(world.accounts).isEmpty();
            assertThat(world.bucket(World.name(bucket)).orElseThrow().getSpec().bindings())
                    .isEmpty();
        }
    }

    private static Bucket bound(World world) {
        world.createRequest("a", "photos", "bucketClassName", "fast");
        world.createAccess("a", "viewer", "bucketRequestName", "photos");
        world.settle();
        String name = world.request("a", "photos").orElseThrow().getSpec().bucketInstanceName();
        return world.bucket(name).orElseThrow();
    }
}
