package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.cosi.controller.claims.ClaimDiagnosis;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.stream.Stream;

/** BucketClaims and BucketAccesses of {@code objectstorage.k8s.io} that are not ready, with the reason of their newest event. */
record ReleasedClaimCheck(ClusterObservation observed) {

    static Stream<Finding> examine(ClusterObservation observed) {
        ReleasedClaimCheck check = new ReleasedClaimCheck(observed);
        return Stream.concat(
                observed.released().claims().stream().flatMap(claim -> check.examine(claim).stream()),
                observed.released().accesses().stream().flatMap(access -> check.examine(access).stream()));
    }

    private Optional<Finding> examine(BucketClaim claim) {
        if (claim.status().bucketReady() || !isOverdue(claim)) {
            return Optional.empty();
        }
        return Optional.of(Finding.error(
                CheckName.CLAIMS,
                "BucketClaimNotReady",
                FoundObject.of(claim),
                new ObjectEvents(observed).newest(claim).orElseGet(() -> diagnosis(claim)),
                describe("bucketclaim", claim)));
    }

    private Optional<Finding> examine(ReleasedBucketAccess access) {
        if (access.status().accessGranted() || !isOverdue(access)) {
            return Optional.empty();
        }
        return Optional.of(Finding.error(
                CheckName.CLAIMS,
                "BucketAccessNotGranted",
                FoundObject.of(access),
                new ObjectEvents(observed).newest(access).orElseGet(() -> unreported(access)),
                describe("bucketaccess", access)));
    }

    /** What the controller would report now: events expire after an hour. */
    private String diagnosis(BucketClaim claim) {
        if (!observed.released().buckets().isComplete()
                || !observed.released().classes().isComplete()) {
            return "It has no event, and you may not read Buckets and BucketClasses.";
        }
        return ClaimDiagnosis.of(
                        claim,
                        observed.released().buckets().items(),
                        observed.released().classes().items(),
                        observed.released().accesses().items())
                .explain(observed.now());
    }

    private String unreported(ReleasedBucketAccess access) {
        String className = access.spec().bucketAccessClassName();
        if (observed.released().accessClasses().lacks(found -> isNamed(found, className))) {
            return "It has no event. BucketAccessClass " + className + " does not exist.";
        }
        String claimName = access.spec().bucketClaimName();
        String namespace = access.getMetadata().getNamespace();
        if (observed.released().claims().lacks(found -> isIn(found, namespace) && isNamed(found, claimName))) {
            return "It has no event. BucketClaim " + claimName + " does not exist in its namespace.";
        }
        return "It has no event: no sidecar has acted on it. Check that the sidecar of the driver in BucketAccessClass "
                + className + " runs.";
    }

    private boolean isOverdue(HasMetadata object) {
        return !Metadata.isBeingDeleted(object)
                && ObjectTimes.isOlderThan(
                        observed.scope().stuckAfter(), object.getMetadata().getCreationTimestamp(), observed.now());
    }

    private static boolean isNamed(HasMetadata object, String name) {
        return object.getMetadata().getName().equals(name);
    }

    private static boolean isIn(HasMetadata object, String namespace) {
        return object.getMetadata().getNamespace().equals(namespace);
    }

    private static String describe(String kind, HasMetadata object) {
        return "bucketwright claim describe -n " + object.getMetadata().getNamespace() + " " + kind + "/"
                + object.getMetadata().getName();
    }
}
