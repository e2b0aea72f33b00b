package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.Capability;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim that writes down what every bucket has requests nothing. */
class DefaultOptionsTest {

    private static ObjectBucketClaimSpec.Builder with(String field, String value) {
        return switch (field) {
            case "versioned" -> photos().versioned(Boolean.valueOf(value));
            case "cannedBucketACL" -> photos().cannedBucketACL(value);
            case "SSL" -> photos().sslUpperCase(Boolean.valueOf(value));
            default -> photos().additionalConfig(Map.of(field, value));
        };
    }

    private static World world(Map<String, String> parameters, ObjectBucketClaimSpec.Builder spec) {
        World world = new World(parameters);
        world.store
                .without(Capability.VERSIONING)
                .without(Capability.CANNED_ACL)
                .without(Capability.ANONYMOUS_ACCESS);
        world.settle(spec);
        return world;
    }

    @ParameterizedTest
    @CsvSource({
        "versioned, false, true",
        "versioned, true, false",
        "cannedBucketACL, BucketCannedACLPrivate, true",
        "cannedBucketACL, BucketCannedACLPublicRead, false",
        "cannedBucketACL, BucketCannedACLPublicReadWrite, false",
        "cannedBucketACL, BucketCannedACLAuthenticatedRead, false",
        "SSL, false, true",
        "SSL, true, false",
        "versioning, Suspended, true",
        "cannedAcl, private, true",
        "anonymousAccess, private, true"
    })
    void eachValueOfTheDesignOnAPlainClassAndAStoreWithoutCapabilities(String field, String value, boolean binds) {
        World world = world(Map.of(), with(field, value));
        assertThat(world.phase()).isEqualTo(binds ? Phase.BOUND : Phase.FAILED);
        if (binds) {
            assertThat(world.writes()).isEqualTo(7);
            assertThat(world.store.calls()).doesNotContain("update");
            assertThat(world.store.names())
                    .allSatisfy(name ->
                            assertThat(world.store.options(name).isEmpty()).isTrue());
        }
    }

    @ParameterizedTest
    @CsvSource({"versioned, false", "cannedBucketACL, private"})
    void aDefaultBindsOnAClassOfAnExistingBucket(String field, String value) {
        World world = new World(Map.of("bucketName", "shared-data"));
        world.store.existing("shared-data");
        world.bind(with(field, value).generateBucketName(""));
    }

    @ParameterizedTest
    @CsvSource({
        "versioning, true, versioned, false",
        "cannedAcl, public-read, cannedBucketACL, private",
        "cannedAcl, public-read, anonymousAccess, private",
        "anonymousAccess, ro, cannedBucketACL, private",
        "objectLock, enabled, versioned, false",
    })
    void aDefaultIsRefusedIfTheClassSetsTheOpposite(String ofClass, String set, String field, String value) {
        World world = world(Map.of(ofClass, set), with(field, value));
        assertThat(world.phase()).isEqualTo(Phase.FAILED);
        world.assertReady("Invalid", "the class");
    }

    @ParameterizedTest
    @ValueSource(strings = {"versioning", "cannedAcl"})
    void aDefaultBindsOnAClassThatSetsItToo(String option) {
        World world = new World(Map.of(option, option.equals("versioning") ? "false" : "private"));
        world.bind(photos().versioned(false).cannedBucketACL("private"));
    }

    @Test
    void versioningThatTheClaimTurnedOnIsTurnedOffWithFalse() {
        World world = World.settled(Map.of("allowedOptions", "versioning"), photos().versioned(true));
        String bucket = world.bucketName();
        assertThat(world.store.options(bucket).find(Versioning.class)).contains(new Versioning(true));
        world.editClaim(claim ->
                claim.setSpec(claim.getSpec().toBuilder().versioned(false).build()));
        world.settle();
        assertThat(world.store.options(bucket).find(Versioning.class)).isEmpty();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
    }
}
