package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiResource;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiPhase;
import io.bucketwright.testing.KStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flux and other tools that follow kstatus see the health of COSI objects in every phase that the controller writes. */
@Execution(ExecutionMode.CONCURRENT)
class RequestHealthTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    @ParameterizedTest
    @EnumSource(BucketRequestPhase.class)
    void ofABucketRequest(BucketRequestPhase phase) {
        assertThat(health(new BucketRequest(), phase)).isEqualTo(ExpectedHealth.of(phase));
    }

    @ParameterizedTest
    @EnumSource(BucketAccessRequestPhase.class)
    void ofABucketAccessRequest(BucketAccessRequestPhase phase) {
        assertThat(health(new BucketAccessRequest(), phase)).isEqualTo(ExpectedHealth.of(phase));
    }

    @ParameterizedTest
    @EnumSource(BucketAccessPhase.class)
    void ofABucketAccess(BucketAccessPhase phase) {
        assertThat(health(new BucketAccess(), phase)).isEqualTo(ExpectedHealth.of(phase));
    }

    @Test
    void aNewObjectIsInProgressBeforeAnyControllerSeesIt() {
        for (Class<? extends CosiResource<?>> kind :
                List.of(BucketRequest.class, BucketAccessRequest.class, Bucket.class, BucketAccess.class)) {
            assertThat(KStatus.of(KStatus.newObject(Crds.of(kind))))
                    .as(kind.getSimpleName())
                    .isEqualTo(KStatus.IN_PROGRESS);
        }
    }

    @Test
    void aFailureEndsWithItsCause() {
        BucketRequest request = with(new BucketRequest(), BucketRequestPhase.CREATE_REJECTED);
        assertThat(KStatus.of(with(request, BucketRequestPhase.CREATING))).isEqualTo(KStatus.IN_PROGRESS);
        assertThat(KStatus.of(with(request, BucketRequestPhase.BOUND))).isEqualTo(KStatus.CURRENT);
        assertThat(Stream.of("Ready", "Bound", "Stalled")
                        .filter(type -> request.status().condition(type).isPresent()))
                .containsExactly("Ready", "Bound");
    }

    private static KStatus health(CosiResource<?> object, CosiPhase phase) {
        return KStatus.of(with(object, phase));
    }

    private static <T extends CosiResource<?>> T with(T object, CosiPhase phase) {
        object.setMetadata(
                new ObjectMetaBuilder().withName("photos").withGeneration(1L).build());
        object.setStatus(Serialization.unmarshal(
                Serialization.asJson(
                        CosiCondition.of(phase, "Reason", "message").toStatus(object, NOW)),
                CosiStatus.class));
        return object;
    }
}
