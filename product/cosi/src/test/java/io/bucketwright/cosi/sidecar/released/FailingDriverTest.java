package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.vendors.Vendor;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The drivers of all vendors hang, fail after they have done their work, answer late, and have outages, in every call about
 * an access. At most two accounts of the access work at any time, and none after its deletion but those that an event names.
 */
class FailingDriverTest {

    /** What goes wrong in a call. */
    private enum Failure {
        /** The deadline passes, and the driver has done its work. */
        HANGS(Status.Code.DEADLINE_EXCEEDED),
        /** One of several requests to the store has failed. */
        HALF(Status.Code.INTERNAL),
        /** The store does not answer for 30 s. */
        OUTAGE(Status.Code.INTERNAL),
        UNREACHABLE(Status.Code.UNAVAILABLE),
        /** Another call is pending. */
        BUSY(Status.Code.ABORTED);

        private final Status.Code answer;

        Failure(Status.Code answer) {
            this.answer = answer;
        }

        void begin(AccessWorld world, Class<? extends Message> call) {
            long end = world.time.nanos() + Duration.ofSeconds(30).toNanos();
            switch (this) {
                case HANGS, HALF -> world.failAfter(call, answer.toStatus(), 1);
                case OUTAGE, UNREACHABLE, BUSY ->
                    world.failBefore(call, answer.toStatus(), () -> world.time.nanos() < end);
            }
        }

        void end(AccessWorld world) {
            world.stub.beforeEffect(_ -> {});
            world.stub.afterEffect(_ -> {});
        }
    }

    private final Path folder;

    FailingDriverTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource
    void aFailedGrantLeavesAtMostOneLostAccount(Vendor vendor) {
        for (Failure failure : Failure.values()) {
            try (AccessWorld world = new AccessWorld(vendor, folder)) {
                world.claim("photos");
                failure.begin(world, DriverGrantBucketAccessRequest.class);
                world.access("viewer", "photos");
                world.pass(Duration.ofMinutes(15));
                failure.end(world);
                world.pass(Duration.ofMinutes(10));
                assertThat(world.liveKeys()).as(failure + " live").hasSizeLessThanOrEqualTo(2);
                if (repeatsGrants(vendor, failure)) {
                    assertThat(world.isGranted("viewer"))
                            .as(failure + " granted")
                            .isTrue();
                    assertThat(vendor.hasOneKey() || world.works("viewer-secret"))
                            .as(failure + " works")
                            .isTrue();
                } else {
                    assertThat(world.events()).as(failure + " stops").anyMatch(event -> event.contains("was lost"));
                }
                assertDeleted(world, failure);
            }
        }
    }

    /** A second grant by the same name fails, and only the lost id ends the first one: the access stops. */
    private static boolean repeatsGrants(Vendor vendor, Failure failure) {
        boolean issued = failure == Failure.HANGS || failure == Failure.HALF;
        return !issued || !Set.of(Vendor.NUTANIX, Vendor.CLOUDIAN).contains(vendor);
    }

    @ParameterizedTest
    @EnumSource
    void aFailedRevocationIsRepeatedUntilTheKeyEnds(Vendor vendor) {
        for (Failure failure : Failure.values()) {
            try (AccessWorld world = new AccessWorld(vendor, folder)) {
                world.claim("photos");
                world.access("viewer", "photos");
                world.settle();
                assertThat(world.isGranted("viewer")).isTrue();
                failure.begin(world, DriverRevokeBucketAccessRequest.class);
                assertDeleted(world, failure);
            }
        }
    }

    private static void assertDeleted(AccessWorld world, Failure failure) {
        world.delete("viewer");
        world.pass(Duration.ofMinutes(30));
        assertThat(world.find("viewer")).as(failure + " access").isEmpty();
        assertThat(world.grants()).as(failure + " ledger").isEmpty();
        assertThat(world.secret("viewer-secret")).as(failure + " Secret").isEmpty();
        Set<String> left = new TreeSet<>(world.liveKeys());
        if (world.vendor == Vendor.AZURE) {
            // Tokens end with the bucket.
            return;
        }
        boolean informed = world.events().stream().anyMatch(event -> event.contains("delete it there"));
        assertThat(left).as(failure + " keys").hasSizeLessThanOrEqualTo(informed ? 2 : 0);
        if (failure == Failure.BUSY) {
            assertThat(left).as(failure + " keys").isEmpty();
        }
    }
}
