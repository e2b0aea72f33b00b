package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects whose claim or request no longer exists, and claims whose ObjectBucket no longer exists. */
record OrphanCheck(ClusterObservation observed) {

    private static final int SHOWN = 8;

    static Stream<Finding> examine(ClusterObservation observed) {
        OrphanCheck check = new OrphanCheck(observed);
        return Stream.of(
                        observed.objectBuckets().stream().flatMap(bucket -> check.examine(bucket).stream()),
                        observed.claims().stream().flatMap(claim -> check.examine(claim).stream()),
                        observed.cosi().buckets().stream().flatMap(bucket -> check.examine(bucket).stream()),
                        check.unused().stream(),
                        check.retained().stream(),
                        observed.cosi().accesses().stream().flatMap(access -> check.examine(access).stream()))
                .flatMap(findings -> findings);
    }

    /** A claim of the same name with another uid is what a restored backup looks like: not an orphan. */
    private Optional<Finding> examine(ObjectBucket bucket) {
        Optional<OwningClaim> owner = OwningClaim.of(bucket).filter(claim -> isInScope(claim.namespace()));
        return owner.filter(_ -> !Metadata.isBeingDeleted(bucket))
                .filter(claim -> observed.claims().lacks(found -> isNamed(found, claim.namespace(), claim.name())))
                .map(claim -> Finding.warning(
                        CheckName.ORPHANS,
                        "OrphanedObjectBucket",
                        FoundObject.of(bucket),
                        "The claim " + claim.namespace() + "/" + claim.name()
                                + " of this ObjectBucket no longer exists. The bucket still exists in the store.",
                        "The orphans role deletes the ObjectBucket after --orphan-grace-period, if it serves the"
                                + " ObjectBucket's provisioner and does not run with --dry-run. To delete the"
                                + " ObjectBucket now: kubectl delete objectbucket "
                                + bucket.getMetadata().getName()));
    }

    private Optional<Finding> examine(ObjectBucketClaim claim) {
        return Optional.of(claim)
                .filter(found -> !Metadata.isBeingDeleted(found) && found.phase() == Phase.BOUND)
                .flatMap(found -> found.getSpec().objectBucket())
                .filter(name -> observed.objectBuckets()
                        .lacks(bucket -> bucket.getMetadata().getName().equals(name) || belongsTo(bucket, claim)))
                .map(name -> Finding.error(
                        CheckName.ORPHANS,
                        "ObjectBucketLost",
                        FoundObject.of(claim),
                        "The ObjectBucket " + name + " of this claim no longer exists.",
                        "Delete the claim, and create a new one if a bucket is needed."));
    }

    private static boolean belongsTo(ObjectBucket bucket, ObjectBucketClaim claim) {
        return OwningClaim.of(bucket)
                .filter(owner -> owner.uid().equals(claim.getMetadata().getUid()))
                .isPresent();
    }

    /** A retained Bucket outlives its request on purpose: its phase is then Released. */
    private Optional<Finding> examine(Bucket bucket) {
        return bucket.getSpec()
                .creator()
                .filter(_ -> !Metadata.isBeingDeleted(bucket) && bucket.phase() != BucketPhase.RELEASED)
                .filter(request -> isInScope(request.namespace()))
                .filter(request ->
                        observed.cosi().requests().lacks(found -> isNamed(found, request.namespace(), request.name())))
                .filter(_ -> bucket.getSpec().bindings().isEmpty())
                .map(request -> Finding.warning(
                        CheckName.ORPHANS,
                        "OrphanedBucket",
                        FoundObject.of(bucket),
                        "The BucketRequest " + request.namespace() + "/" + request.name()
                                + " that this Bucket was created for no longer exists, and the Bucket is "
                                + bucket.phase() + ".",
                        "kubectl describe bucket.cosi.io "
                                + bucket.getMetadata().getName()));
    }

    /** Retained Buckets: intended, but somebody pays for them. One finding for all, because there may be many. */
    private Optional<Finding> unused() {
        List<String> inPhaseReleased = observed.cosi().buckets().stream()
                .filter(bucket -> !Metadata.isBeingDeleted(bucket)
                        && bucket.phase() == BucketPhase.RELEASED
                        && bucket.getSpec().bindings().isEmpty())
                .map(bucket -> bucket.getMetadata().getName())
                .sorted()
                .toList();
        return unused(
                "Bucket",
                inPhaseReleased,
                " Released and bound to no request; their data is still in the store: ",
                "To use one again, create a BucketRequest that names it in bucketInstanceName. Otherwise delete its data in"
                        + " the store, and kubectl delete bucket.cosi.io NAME.");
    }

    /** The same for the released API: a Bucket of a claim that no longer exists. */
    private Optional<Finding> retained() {
        List<String> retained = observed.released().buckets().stream()
                .filter(bucket -> !Metadata.isBeingDeleted(bucket) && isClaimDeleted(bucket))
                .map(bucket -> bucket.getMetadata().getName())
                .sorted()
                .toList();
        return unused(
                "Bucket." + ReleasedNames.GROUP,
                retained,
                " retained, and their BucketClaim no longer exists; their data is still in the store: ",
                "To use one again, see docs/cosi-released.md. Otherwise kubectl delete bucket." + ReleasedNames.GROUP
                        + " NAME. If its deletionPolicy is Delete, the driver decides about objects: Bucketwright's deletes"
                        + " them only with onNotEmpty: purge.");
    }

    private boolean isClaimDeleted(ReleasedBucket bucket) {
        ObjectReference claim = bucket.spec().bucketClaim();
        @Nullable String uid = claim.getUid();
        return uid != null
                && !uid.isEmpty()
                && isInScope(Objects.requireNonNullElse(claim.getNamespace(), ""))
                && observed.released()
                        .claims()
                        .lacks(found -> uid.equals(found.getMetadata().getUid()));
    }

    private static Optional<Finding> unused(String kind, List<String> names, String why, String action) {
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.info(
                        CheckName.ORPHANS,
                        "UnusedBuckets",
                        FoundObject.cluster(kind, names.getFirst()),
                        names.size()
                                + (names.size() == 1 ? " Bucket is" : " Buckets are")
                                + why
                                + names.stream().limit(SHOWN).collect(Collectors.joining(", "))
                                + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more." : "."),
                        action));
    }

    private Optional<Finding> examine(BucketAccess access) {
        String namespace = access.getSpec().bucketAccessRequestNamespace();
        String name = access.getSpec().bucketAccessRequestName();
        return Metadata.isBeingDeleted(access)
                        || !isInScope(namespace)
                        || !observed.cosi().accessRequests().lacks(found -> isNamed(found, namespace, name))
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        CheckName.ORPHANS,
                        "OrphanedBucketAccess",
                        FoundObject.of(access),
                        "The BucketAccessRequest " + namespace + "/" + name
                                + " of this access no longer exists. Its credentials are still valid.",
                        "kubectl delete bucketaccess.cosi.io "
                                + access.getMetadata().getName()));
    }

    /** Claims of other namespaces were not listed. */
    private boolean isInScope(String namespace) {
        String only = observed.scope().namespace();
        return only.isEmpty() || only.equals(namespace);
    }

    private static boolean isNamed(HasMetadata object, String namespace, String name) {
        return object.getMetadata().getNamespace().equals(namespace)
                && object.getMetadata().getName().equals(name);
    }
}
