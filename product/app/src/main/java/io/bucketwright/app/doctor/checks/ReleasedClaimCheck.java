package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.app.command.ObjectTime;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.cosi.controller.claims.ClaimDiagnosis;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/** BucketClaims and BucketAccesses of {@code objectstorage.k8s.io} that are not ready, with the reason of their newest event. */
record ReleasedClaimCheck(ClusterObservation observed, Findings found) {
    void examine() {
        observed.all(BucketClaim.class).stream()
                .filter(claim -> !claim.status().bucketReady() && isOverdue(claim))
                .forEach(claim -> found.error(
                        "BucketClaimNotReady",
                        FoundObject.of(claim),
                        newestEvent(claim, observed).orElseGet(() -> diagnosis(claim)),
                        describe("bucketclaim", claim)));
        observed.all(ReleasedBucketAccess.class).stream()
                .filter(access -> !access.status().accessGranted() && isOverdue(access))
                .forEach(access -> found.error(
                        "BucketAccessNotGranted",
                        FoundObject.of(access),
                        newestEvent(access, observed).orElseGet(() -> unreported(access)),
                        describe("bucketaccess", access)));
    }

    /** Reason and message; these kinds have no conditions. Empty if there is no event, or if it may not be read. */
    static Optional<String> newestEvent(HasMetadata object, ClusterObservation observed) {
        String uid = object.getMetadata().getUid();
        return observed.all(Event.class).stream()
                .filter(event -> Objects.equals(event.getInvolvedObject().getUid(), uid))
                .max(Comparator.comparing(ObjectTime::of))
                .map(event -> event.getReason() + ": " + event.getMessage());
    }

    /** What the controller would report now: events expire after an hour. */
    private String diagnosis(BucketClaim claim) {
        if (!observed.all(ReleasedBucket.class).isComplete()
                || !observed.all(ReleasedBucketClass.class).isComplete()) {
            return "It has no event, and you may not read Buckets and BucketClasses.";
        }
        return ClaimDiagnosis.of(
                        claim,
                        observed.all(ReleasedBucket.class).items(),
                        observed.all(ReleasedBucketClass.class).items(),
                        observed.all(ReleasedBucketAccess.class).items())
                .explain(observed.now());
    }

    private String unreported(ReleasedBucketAccess access) {
        String className = access.spec().bucketAccessClassName();
        if (observed.all(ReleasedBucketAccessClass.class).lacks(any -> FoundObject.isNamed(any, "", className))) {
            return "It has no event. BucketAccessClass " + className + " does not exist.";
        }
        String claimName = access.spec().bucketClaimName();
        String namespace = access.getMetadata().getNamespace();
        if (observed.all(BucketClaim.class).lacks(any -> FoundObject.isNamed(any, namespace, claimName))) {
            return "It has no event. BucketClaim " + claimName + " does not exist in its namespace.";
        }
        return "It has no event: no sidecar has acted on it. Check that the sidecar of the driver in BucketAccessClass "
                + className + " runs.";
    }

    private boolean isOverdue(HasMetadata object) {
        return !Metadata.isBeingDeleted(object) && observed.isOverdue(object);
    }

    private static String describe(String kind, HasMetadata object) {
        return "bucketwright claim describe -n " + object.getMetadata().getNamespace() + " " + kind + "/"
                + object.getMetadata().getName();
    }
}
