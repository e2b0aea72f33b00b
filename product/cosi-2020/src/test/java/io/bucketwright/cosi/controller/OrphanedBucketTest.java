package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Bucket whose request disappears without the controller. */
class OrphanedBucketTest {

    @Test
    void theBucketOfARequestThatNoLongerNamesItIsFoundWhenTheRequestDisappears() {
        try (World world = new World(ReleasePolicy.DELETE)) {
            world.createRequest("a", "photos", "bucketClassName", "fast");
            world.controller();
            assertThat(world.all(Bucket.class)).hasSize(1);
            BucketRequest request = world.request("a", "photos").orElseThrow();
            world.edit(request, latest -> {
                latest.setSpec(Specs.with(latest.getSpec(), "bucketInstanceName", "another"));
                latest.getMetadata().setFinalizers(List.of());
            });
            world.controller();
            world.delete(request);
            world.controller();

            world.pass(Duration.ofMinutes(10));
            world.controller();

            assertThat(world.all(Bucket.class)).allMatch(Metadata::isBeingDeleted);
        }
    }
}
