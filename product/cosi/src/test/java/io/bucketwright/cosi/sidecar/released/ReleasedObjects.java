package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Objects of released kinds and their surroundings, for tests of decisions. */
final class ReleasedObjects {

    static final String DRIVER = "driver.example.com";
    static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    private ReleasedObjects() {}

    static ReleasedBucket bucket(String... finalizers) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("bucket-claim-uid")
                .withUid("bucket-uid")
                .withGeneration(1L)
                .withCreationTimestamp(NOW.minusSeconds(60).toString())
                .withFinalizers(finalizers)
                .build());
        bucket.setSpec(spec("Delete", ""));
        return bucket;
    }

    /** Whose creation is recorded. */
    static ReleasedBucket recorded(String id) {
        ReleasedBucket bucket = bucket(ReleasedNames.BUCKET_FINALIZER, ReleasedNames.ACCESSED_BUCKET_FINALIZER);
        Map<String, String> record = new HashMap<>(Map.of(ReleasedNames.BUCKET_UID, "bucket-uid"));
        if (!id.isEmpty()) {
            record.put(ReleasedNames.BUCKET_ID, id);
        }
        bucket.getMetadata().setAnnotations(record);
        return bucket;
    }

    static ReleasedBucketSpec spec(String policy, String existingId) {
        return new ReleasedBucketSpec(
                DRIVER,
                "gold",
                new ObjectReferenceBuilder()
                        .withNamespace("apps")
                        .withName("photos")
                        .withUid("claim-uid")
                        .build(),
                List.of("S3"),
                Map.of(),
                policy,
                existingId);
    }

    /** With both finalizers and an id. */
    static ReleasedBucket readyBucket() {
        ReleasedBucket bucket = recorded("eu/1");
        bucket.setStatus(new ReleasedBucketStatus(true, "eu/1"));
        return bucket;
    }

    static BucketClaim claim(boolean ready) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace("apps")
                .withName("photos")
                .withUid("claim-uid")
                .withFinalizers(ReleasedNames.CLAIM_FINALIZER)
                .build());
        claim.setSpec(new BucketClaimSpec("gold", List.of("S3"), ""));
        claim.setStatus(new BucketClaimStatus(ready, "bucket-claim-uid"));
        return claim;
    }

    static ReleasedBucketAccess access(String... finalizers) {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(new ObjectMetaBuilder()
                .withNamespace("apps")
                .withName("viewer")
                .withUid("access-uid")
                .withGeneration(1L)
                .withCreationTimestamp(NOW.minusSeconds(5).toString())
                .withFinalizers(finalizers)
                .build());
        access.setSpec(new ReleasedAccessSpec("photos", "", "readers", "credentials", ""));
        return access;
    }

    static ReleasedBucketAccess access(ReleasedAccessStatus status) {
        ReleasedBucketAccess access = access(ReleasedNames.ACCESS_FINALIZER);
        access.setStatus(status);
        return access;
    }

    static ReleasedBucketAccessClass accessClass(String driver) {
        ReleasedBucketAccessClass accessClass = new ReleasedBucketAccessClass();
        accessClass.setMetadata(new ObjectMetaBuilder().withName("readers").build());
        accessClass.setDriverName(driver);
        accessClass.setAuthenticationType("Key");
        return accessClass;
    }

    static <T extends HasMetadata> T deleted(T object) {
        object.getMetadata().setDeletionTimestamp(NOW.minusSeconds(5).toString());
        return object;
    }

    static DriverPreconditions ready() {
        return new DriverPreconditions(
                new DriverState.Ready("cosi.v1alpha1", true, Set.of(Protocol.S3)),
                1,
                new ProvisionerSecret.Usable("", Map.of()));
    }

    /** An attempt whose delay is over, after a problem that is retryable. */
    static FailedAttempt failed(
            DriverMethod method, HasMetadata object, ProvisionerReason reason, String message, int attempts) {
        Problem problem = Problem.retryable(reason.text(), message);
        return new FailedAttempt(method, ready().inputs(object), problem, attempts, Duration.ZERO);
    }

    /** The step of the decision, or the name of its result. */
    static <S> Object outcome(Decision<S> decision) {
        return switch (decision) {
            case Decision.Act<S>(S step) -> step;
            case Decision.Finish<S> finish -> finish.result().getClass().getSimpleName();
        };
    }
}
