package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.StatusError;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2AccessClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The controller's rules for a BucketAccess of v1alpha2. Pure. */
final class V1alpha2AccessDecision {

    private static final Set<String> MODES = Set.of("ReadWrite", "ReadOnly", "WriteOnly");
    private static final Set<String> PROTOCOLS = Set.of("S3", "Azure", "GCS");

    private final V1alpha2AccessView view;
    private final V1alpha2Access access;

    private V1alpha2AccessDecision(V1alpha2AccessView view) {
        this.view = view;
        this.access = view.access();
    }

    static Decision<V1alpha2AccessStep> decide(V1alpha2AccessView view) {
        V1alpha2AccessDecision decision = new V1alpha2AccessDecision(view);
        return Metadata.isBeingDeleted(view.access()) ? decision.delete() : decision.handOver();
    }

    private boolean isHandedOver() {
        return !access.status().driverName().isEmpty();
    }

    private Decision<V1alpha2AccessStep> handOver() {
        Optional<Problem> tooLarge = Problem.ofSize(access);
        if (tooLarge.isPresent()) {
            return isHandedOver() ? Decision.done() : error(tooLarge.get().message());
        }
        if (isHandedOver()) {
            return Decision.done();
        }
        if (!Metadata.hasFinalizer(access, V1alpha2Names.FINALIZER)) {
            return Decision.act(new V1alpha2AccessStep.AddFinalizer(access));
        }
        Optional<V1alpha2Claim> unmarked = view.claims().stream()
                .flatMap(named -> named.claim().stream())
                .filter(claim -> !Metadata.isBeingDeleted(claim)
                        && !Metadata.annotations(claim).containsKey(V1alpha2Names.ACCESS_REFERENCES))
                .findFirst();
        if (unmarked.isPresent()) {
            return Decision.act(new V1alpha2AccessStep.AnnotateClaim(unmarked.get()));
        }
        if (view.accessClass().isEmpty()) {
            return error("BucketAccessClass " + SafeText.quoted(access.spec().bucketAccessClassName())
                    + " does not exist. Create it.");
        }
        V1alpha2AccessClass accessClass = view.accessClass().get();
        return problem(accessClass).map(this::error).orElseGet(() -> {
            List<V1alpha2Access.AccessedBucket> buckets = view.claims().stream()
                    .flatMap(named -> named.bucket().stream()
                            .map(bucket -> new V1alpha2Access.AccessedBucket(
                                    bucket.getMetadata().getName(),
                                    bucket.status().bucketID(),
                                    named.named().bucketClaimName())))
                    .toList();
            return Decision.act(new V1alpha2AccessStep.HandOver(access, accessClass, buckets));
        });
    }

    /** Why the access cannot be handed over; empty if it can. */
    private Optional<String> problem(V1alpha2AccessClass accessClass) {
        return problemOfRequest(accessClass)
                .or(() -> view.claims().stream()
                        .flatMap(named -> problem(accessClass, named).stream())
                        .findFirst());
    }

    private Optional<String> problemOfRequest(V1alpha2AccessClass accessClass) {
        if (view.claims().isEmpty()) {
            return Optional.of("spec.bucketClaims is empty. Name a BucketClaim.");
        }
        if (view.claims().size() > 1
                && !accessClass.spec().multiBucketAccess().equals(V1alpha2Names.MULTIPLE_BUCKETS)) {
            return Optional.of("BucketAccessClass " + accessClass.getMetadata().getName()
                    + " permits one BucketClaim only. Use a class with multiBucketAccess MultipleBuckets, or one BucketAccess"
                    + " for each BucketClaim.");
        }
        if (!PROTOCOLS.contains(access.spec().protocol())) {
            return Optional.of("spec.protocol must be S3, Azure or GCS.");
        }
        if (accessClass.spec().authenticationType().equals(V1alpha2Names.SERVICE_ACCOUNT)
                && access.spec().serviceAccountName().isEmpty()) {
            return Optional.of("authenticationType of the BucketAccessClass is ServiceAccount, which needs"
                    + " spec.serviceAccountName. Set it.");
        }
        long secrets = access.spec().bucketClaims().stream()
                .map(V1alpha2Access.ClaimAccess::accessSecretName)
                .filter(name -> !name.isEmpty())
                .distinct()
                .count();
        return secrets == view.claims().size()
                ? Optional.empty()
                : Optional.of("Each entry of spec.bucketClaims needs an accessSecretName of its own.");
    }

    private Optional<String> problem(V1alpha2AccessClass accessClass, V1alpha2AccessView.NamedClaim named) {
        String name = named.named().bucketClaimName();
        String mode = named.named().accessMode();
        if (!MODES.contains(mode)) {
            return Optional.of("accessMode of BucketClaim " + name + " must be ReadWrite, ReadOnly or WriteOnly. Later"
                    + " states of v1alpha2, with accessModes, are not supported.");
        }
        if (accessClass.spec().disallowedBucketAccessModes().contains(mode)) {
            return Optional.of("BucketAccessClass " + accessClass.getMetadata().getName()
                    + " does not permit accessMode " + mode + ". Use another mode or class.");
        }
        if (named.claim().filter(claim -> !Metadata.isBeingDeleted(claim)).isEmpty()) {
            return Optional.of("BucketClaim " + SafeText.quoted(name) + " does not exist or is being deleted.");
        }
        V1alpha2Claim claim = named.claim().get();
        Optional<V1alpha2Bucket> ready = named.bucket()
                .filter(bucket -> claim.status().readyToUse()
                        && bucket.claim().isBoundTo(claim)
                        && bucket.status().readyToUse()
                        && !bucket.status().bucketID().isEmpty()
                        && !Metadata.isBeingDeleted(bucket));
        if (ready.isEmpty()) {
            return Optional.of("BucketClaim " + name + " is not ready. See its status.");
        }
        V1alpha2Bucket bucket = ready.get();
        if (!bucket.spec().driverName().equals(accessClass.spec().driverName())) {
            return Optional.of("The bucket of BucketClaim " + name + " is for driver "
                    + SafeText.quoted(bucket.spec().driverName()) + ", but the BucketAccessClass is for driver "
                    + SafeText.quoted(accessClass.spec().driverName())
                    + ". Use a BucketAccessClass for the driver of the bucket.");
        }
        return bucket.status().protocols().contains(access.spec().protocol())
                ? Optional.empty()
                : Optional.of("The bucket of BucketClaim " + name + " does not serve the protocol "
                        + access.spec().protocol() + ".");
    }

    private Decision<V1alpha2AccessStep> delete() {
        if (!Metadata.hasFinalizer(access, V1alpha2Names.FINALIZER)) {
            return Decision.done();
        }
        if (isHandedOver() && !Metadata.annotations(access).containsKey(V1alpha2Names.CLEANUP_FINISHED)) {
            return Decision.finish(Result.pending());
        }
        return view.unreferenced().stream()
                .findFirst()
                .<Decision<V1alpha2AccessStep>>map(claim -> Decision.act(new V1alpha2AccessStep.ReleaseClaim(claim)))
                .orElseGet(() -> Decision.act(new V1alpha2AccessStep.RemoveFinalizer(access)));
    }

    private Decision<V1alpha2AccessStep> error(String message) {
        return StatusError.messageOf(access.status().error()).equals(message)
                ? Decision.finish(Result.pending())
                : Decision.act(new V1alpha2AccessStep.WriteError(access, message));
    }
}
