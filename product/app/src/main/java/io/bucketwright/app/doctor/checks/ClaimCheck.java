package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiResource;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.ServedProvisioners;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Claims and requests that are not ready, with the reason that their controller reports. */
record ClaimCheck(ClusterObservation observed, Findings found) {
    private static final String BOUND = "Bound";
    private static final String ERROR_PHASE = "Err";

    /** Waits for the user, not for a controller. */
    private static final Set<String> WAITS_FOR_USER = Set.of("WaitingForAccessRequest");

    void examine() {
        observed.all(ObjectBucketClaim.class).stream()
                .filter(claim -> !Metadata.isBeingDeleted(claim))
                .forEach(this::examine);
        observed.all(BucketRequest.class).stream().forEach(this::examineRequest);
        observed.all(BucketAccessRequest.class).stream().forEach(this::examineRequest);
        observed.all(Bucket.class).stream().forEach(this::examineBucket);
    }

    private void examine(ObjectBucketClaim claim) {
        @Nullable BucketStatus status = claim.getStatus();
        Optional<Condition> ready = ReadyCondition.find(status == null ? List.of() : status.conditions());
        FoundObject object = FoundObject.of(claim);
        switch (claim.phase()) {
            case BOUND ->
                ready.filter(condition -> !BOUND.equals(condition.getReason()))
                        .ifPresent(
                                condition -> found.warning("ClaimWarning", object, text(condition), object.describe()));
            case FAILED -> notReady(claim, "ClaimFailed", ready);
            case RELEASED ->
                found.warning(
                        "ClaimReleased",
                        object,
                        ready.map(ClaimCheck::text).orElse("The bucket of this claim was released."),
                        "Delete the claim, and create a new one if a bucket is needed.");
            case PENDING -> {
                if (observed.isOverdue(claim)) {
                    notReady(claim, "ClaimPending", ready);
                }
            }
        }
    }

    private void notReady(ObjectBucketClaim claim, String reason, Optional<Condition> ready) {
        FoundObject object = FoundObject.of(claim);
        found.error(
                reason,
                object,
                ready.map(ClaimCheck::text).orElseGet(() -> "The claim is " + claim.phase() + ". " + unknown(claim)),
                object.describe());
    }

    /** Why a claim may have no condition. */
    private String unknown(ObjectBucketClaim claim) {
        Optional<String> name = claim.getSpec().storageClass();
        if (name.isEmpty()) {
            return "It names no class, and no controller has chosen a default one.";
        }
        if (observed.all(StorageClass.class).lacks(any -> FoundObject.isNamed(any, "", name.get()))) {
            return "StorageClass " + name.get() + " does not exist.";
        }
        return "No controller has reconciled it."
                + observed.storageClass(name.get())
                        .map(storageClass -> " Its class " + name.get() + " has the provisioner "
                                + storageClass.getProvisioner() + served(storageClass.getProvisioner()))
                        .orElse("");
    }

    private String served(String provisioner) {
        ServedProvisioners known = observed.provisioners();
        if (known.serves(provisioner)) {
            return ".";
        }
        return known.mayServe(provisioner)
                ? ". Is a controller for it running?"
                : ", and Bucketwright serves only " + String.join(", ", known.names())
                        + ": that provisioner must bind it.";
    }

    private void examineRequest(CosiResource<?> request) {
        Optional<Condition> ready = ReadyCondition.find(request.status().conditions());
        boolean ok = ready.filter(condition ->
                        "True".equals(condition.getStatus()) || WAITS_FOR_USER.contains(condition.getReason()))
                .isPresent();
        boolean failed = request.status().phase().startsWith(ERROR_PHASE);
        if (!ok && !Metadata.isBeingDeleted(request) && (failed || observed.isOverdue(request))) {
            FoundObject object = FoundObject.of(request);
            found.error(
                    failed ? "RequestFailed" : "RequestPending",
                    object,
                    ready.map(ClaimCheck::text).orElse("No controller has reconciled it."),
                    object.describe());
        }
    }

    /** A Bucket whose provisioner reports a problem. */
    private void examineBucket(CosiResource<?> bucket) {
        FoundObject object = FoundObject.of(bucket);
        ReadyCondition.find(bucket.status().conditions())
                .filter(condition -> !Metadata.isBeingDeleted(bucket))
                .filter(condition -> !"True".equals(condition.getStatus())
                        && !ProvisionerReason.of(String.valueOf(condition.getReason()))
                                .isInformational())
                .ifPresent(condition -> found.error("BucketNotReady", object, text(condition), object.describe()));
    }

    private static String text(Condition condition) {
        return condition.getReason() + ": " + condition.getMessage();
    }
}
