package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects whose claim or request no longer exists, and claims whose ObjectBucket no longer exists. */
record OrphanCheck(ClusterObservation observed, Findings found) {
    private static final int SHOWN = 8;

    void examine() {
        existing(observed.all(ObjectBucket.class).stream()).forEach(this::examine);
        existing(observed.all(ObjectBucketClaim.class).stream()).forEach(this::examine);
        existing(observed.all(Bucket.class).stream()).forEach(this::examine);
        unused();
        retained();
        existing(observed.all(BucketAccess.class).stream()).forEach(this::examine);
    }

    private static <T extends HasMetadata> Stream<T> existing(Stream<T> objects) {
        return objects.filter(object -> !Metadata.isBeingDeleted(object));
    }

    /** The claim of an ObjectBucket, from its intent or its claimRef. */
    private record Owner(String namespace, String name, String uid) {
        /** Empty if neither contains a uid. */
        static Optional<Owner> of(ObjectBucket bucket) {
            return bucket.getSpec()
                    .recordedIntent()
                    .map(intent -> new Owner(intent.claimNamespace(), intent.claimName(), intent.claimUid()))
                    .filter(Owner::isComplete)
                    .or(() -> bucket.getSpec().claim().map(Owner::of).filter(Owner::isComplete));
        }

        private static Owner of(ObjectReference claim) {
            return new Owner(
                    Objects.requireNonNullElse(claim.getNamespace(), ""),
                    Objects.requireNonNullElse(claim.getName(), ""),
                    Objects.requireNonNullElse(claim.getUid(), ""));
        }

        private boolean isComplete() {
            return !name.isEmpty() && !uid.isEmpty();
        }
    }

    /** A claim of the same name with another uid is what a restored backup looks like: not an orphan. */
    private void examine(ObjectBucket bucket) {
        Owner.of(bucket)
                .filter(claim -> isInScope(claim.namespace()))
                .filter(claim -> observed.all(ObjectBucketClaim.class)
                        .lacks(any -> FoundObject.isNamed(any, claim.namespace(), claim.name())))
                .ifPresent(claim -> found.warning(
                        "OrphanedObjectBucket",
                        FoundObject.of(bucket),
                        "The claim " + claim.namespace() + "/" + claim.name()
                                + " of this ObjectBucket no longer exists. The bucket still exists in the store.",
                        "The orphans role deletes the ObjectBucket after --orphan-grace-period, if it serves the"
                                + " ObjectBucket's provisioner and does not run with --dry-run. To delete the"
                                + " ObjectBucket now: kubectl delete objectbucket "
                                + bucket.getMetadata().getName()));
    }

    private void examine(ObjectBucketClaim claim) {
        Optional.of(claim)
                .filter(any -> any.phase() == Phase.BOUND)
                .flatMap(any -> any.getSpec().objectBucket())
                .filter(name -> observed.all(ObjectBucket.class)
                        .lacks(bucket -> FoundObject.isNamed(bucket, "", name) || belongsTo(bucket, claim)))
                .ifPresent(name -> found.error(
                        "ObjectBucketMissing",
                        FoundObject.of(claim),
                        "The ObjectBucket " + name + " of this claim no longer exists.",
                        "Delete the claim, and create a new one if a bucket is needed."));
    }

    private static boolean belongsTo(ObjectBucket bucket, ObjectBucketClaim claim) {
        return Owner.of(bucket)
                .filter(owner -> owner.uid().equals(claim.getMetadata().getUid()))
                .isPresent();
    }

    /** A retained Bucket outlives its request on purpose: its phase is then Released. */
    private void examine(Bucket bucket) {
        bucket.getSpec()
                .creator()
                .filter(request -> bucket.phase() != BucketPhase.RELEASED && isInScope(request.namespace()))
                .filter(request -> observed.all(BucketRequest.class)
                        .lacks(any -> FoundObject.isNamed(any, request.namespace(), request.name())))
                .filter(_ -> bucket.getSpec().bindings().isEmpty())
                .ifPresent(request -> found.warning(
                        "OrphanedBucket",
                        FoundObject.of(bucket),
                        "The BucketRequest " + request.namespace() + "/" + request.name()
                                + " that this Bucket was created for no longer exists, and the Bucket is "
                                + bucket.phase() + ".",
                        "kubectl describe bucket.cosi.io "
                                + bucket.getMetadata().getName()));
    }

    /** Retained Buckets: intended, but somebody pays for them. */
    private void unused() {
        unused(
                "Bucket",
                existing(observed.all(Bucket.class).stream())
                        .filter(bucket -> bucket.phase() == BucketPhase.RELEASED
                                && bucket.getSpec().bindings().isEmpty()),
                " Released and bound to no request; their data is still in the store: ",
                "To use one again, create a BucketRequest that names it in bucketInstanceName. Otherwise delete its data in"
                        + " the store, and kubectl delete bucket.cosi.io NAME.");
    }

    /** The same for the released API: a Bucket of a claim that no longer exists. */
    private void retained() {
        unused(
                "Bucket." + ReleasedNames.GROUP,
                existing(observed.all(ReleasedBucket.class).stream()).filter(this::isClaimDeleted),
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
                && observed.all(BucketClaim.class)
                        .lacks(any -> uid.equals(any.getMetadata().getUid()));
    }

    /** One finding for all, because there may be many. */
    private void unused(String kind, Stream<? extends HasMetadata> buckets, String why, String action) {
        List<String> names =
                buckets.map(bucket -> bucket.getMetadata().getName()).sorted().toList();
        if (!names.isEmpty()) {
            found.info(
                    "UnusedBuckets",
                    FoundObject.cluster(kind, names.getFirst()),
                    names.size()
                            + (names.size() == 1 ? " Bucket is" : " Buckets are")
                            + why
                            + Findings.firstOf(names, SHOWN),
                    action);
        }
    }

    private void examine(BucketAccess access) {
        String namespace = access.getSpec().bucketAccessRequestNamespace();
        String name = access.getSpec().bucketAccessRequestName();
        if (isInScope(namespace)
                && observed.all(BucketAccessRequest.class).lacks(any -> FoundObject.isNamed(any, namespace, name))) {
            found.warning(
                    "OrphanedBucketAccess",
                    FoundObject.of(access),
                    "The BucketAccessRequest " + namespace + "/" + name
                            + " of this access no longer exists. Its credentials are still valid.",
                    "kubectl delete bucketaccess.cosi.io "
                            + access.getMetadata().getName());
        }
    }

    /** Claims of other namespaces were not listed. */
    private boolean isInScope(String namespace) {
        String only = observed.scope().namespace();
        return only.isEmpty() || only.equals(namespace);
    }
}
