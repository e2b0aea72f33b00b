package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A leader whose caches lag behind what the former leader did: what a cache does not contain may exist. */
class StaleCacheTest {

    private static final String BUCKET = "bucket-photos-a";

    @Test
    void anAccessWhoseRequestTheCacheDoesNotContainIsNotRevoked() {
        ManualLeadership next = new ManualLeadership();
        next.lose();
        try (World world = new World(ReleasePolicy.DELETE);
                InMemoryProcess leader = world.startProcess(next)) {
            world.createRequest("a", "photos", "bucketClassName", "fast");
            world.createAccess("a", "viewer", "bucketRequestName", "photos");
            world.settle();
            next.gain();
            show(leader, Namespace.class, Bucket.class, BucketRequest.class, BucketAccess.class);

            assertThat(world.all(BucketAccess.class))
                    .singleElement()
                    .matches(access -> !Metadata.isBeingDeleted(access));

            leader.settle();
            world.pass(Duration.ofMinutes(1));
            leader.settle();
            assertThat(world.all(BucketAccess.class))
                    .singleElement()
                    .matches(access -> !Metadata.isBeingDeleted(access));
        }
    }

    /** The former leader created its Bucket; the caches of the new one have shown only the request. */
    @Test
    void aDeletedRequestIsNotReleasedBeforeTheBucketThatAFormerLeaderCreated() {
        ManualLeadership next = new ManualLeadership();
        next.lose();
        try (World world = new World(ReleasePolicy.DELETE);
                InMemoryProcess leader = world.startProcess(next)) {
            world.createRequest("a", "photos", "bucketClassName", "fast");
            world.settle();
            world.delete(world.request("a", "photos").orElseThrow());
            leader.deliver(BucketRequest.class);
            leader.deliver(Namespace.class);
            next.gain();
            for (int round = 0; round < 20; round++) {
                leader.runNext();
            }
            assertThat(world.bucket(BUCKET)).get().matches(Metadata::isBeingDeleted);
            assertThat(world.request("a", "photos"))
                    .as("it waits for its Bucket")
                    .isPresent();
        }
    }

    @Test
    void anAccessWhoseRequestWasRemovedByForceIsRevoked() {
        try (World world = new World(ReleasePolicy.DELETE)) {
            world.createRequest("a", "photos", "bucketClassName", "fast");
            world.createAccess("a", "viewer", "bucketRequestName", "photos");
            world.settle();
            HasMetadata request = world.accessRequest("a", "viewer").orElseThrow();
            world.editMetadata(request, metadata -> metadata.withFinalizers(List.of()));
            world.delete(request);
            world.settle();
            assertThat(world.all(BucketAccess.class)).isEmpty();
            assertThat(world.accounts).isEmpty();
        }
    }

    @Test
    void aBucketIsNotDeletedWhileTheNamespaceOfAnotherRequestIsUnknown() {
        try (World world = new World(ReleasePolicy.DELETE);
                InMemoryProcess leader = world.startProcess()) {
            share(world);
            world.delete(world.request("a", "photos").orElseThrow());
            show(leader, BucketRequest.class, Bucket.class);
            assertThat(world.bucket(BUCKET)).get().matches(bucket -> !Metadata.isBeingDeleted(bucket));
            assertThat(world.request("a", "photos")).isPresent();

            show(leader, Namespace.class);
            assertThat(world.bucket(BUCKET)).get().matches(bucket -> !Metadata.isBeingDeleted(bucket));
            assertThat(world.request("a", "photos"))
                    .as("the Bucket is shared, so it does not wait")
                    .isEmpty();
        }
    }

    @Test
    void aBucketIsDeletedWithItsLastRequestOnceTheNamespaceOfThatIsKnown() {
        try (World world = new World(ReleasePolicy.DELETE);
                InMemoryProcess leader = world.startProcess()) {
            share(world);
            world.delete(world.request("a", "photos").orElseThrow());
            world.settle();
            world.delete(world.request("b", "photos").orElseThrow());
            show(leader, BucketRequest.class, Bucket.class);
            assertThat(world.request("b", "photos"))
                    .as("its Bucket is deleted first")
                    .isPresent();

            show(leader, Namespace.class);
            assertThat(world.bucket(BUCKET)).get().matches(Metadata::isBeingDeleted);
        }
    }

    /** The Bucket is created for a request of one namespace, and shared with a request of another one. */
    private static void share(World world) {
        world.createBucketClass("shared", bucketClass -> {
            bucketClass.setReleasePolicy(ReleasePolicy.DELETE.text());
            bucketClass.setAdditionalPermittedNamespaces(List.of(world.permitted("b")));
        });
        world.createRequest("a", "photos", "bucketClassName", "shared");
        world.settle();
        world.createRequest("b", "photos", "bucketInstanceName", BUCKET);
        world.settle();
    }

    /** Shows everything new of these types and nothing new of the others, and reconciles. */
    @SafeVarargs
    private static void show(InMemoryProcess leader, Class<? extends HasMetadata>... types) {
        for (Class<? extends HasMetadata> type : types) {
            leader.deliver(type);
        }
        for (int round = 0; round < 20; round++) {
            leader.runNext();
        }
    }
}
