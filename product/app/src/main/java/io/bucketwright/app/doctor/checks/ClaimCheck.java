package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.CosiResource;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.ServedProvisioners;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Claims and requests that are not ready, with the reason that their controller reports. */
record ClaimCheck(ClusterObservation observed) {

    private static final String BOUND = "Bound";
    private static final String ERROR_PHASE = "Err";

    /** Waits for the user, not for a controller. */
    private static final Set<String> WAITS_FOR_USER = Set.of("WaitingForAccessRequest");

    static Stream<Finding> examine(ClusterObservation observed) {
        ClaimCheck check = new ClaimCheck(observed);
        return Stream.of(
                        observed.claims().stream().flatMap(claim -> check.examine(claim).stream()),
                        observed.cosi().requests().stream().flatMap(request -> check.examine(request).stream()),
                        observed.cosi().accessRequests().stream().flatMap(request -> check.examine(request).stream()),
                        observed.cosi().buckets().stream().flatMap(bucket -> check.examineBucket(bucket).stream()))
                .flatMap(findings -> findings);
    }

    private Optional<Finding> examine(ObjectBucketClaim claim) {
        if (Metadata.isBeingDeleted(claim)) {
            return Optional.empty();
        }
        @Nullable BucketStatus status = claim.getStatus();
        Optional<Condition> ready = ReadyCondition.find(status == null ? List.of() : status.conditions());
        return switch (claim.phase()) {
            case BOUND ->
                ready.filter(condition -> !BOUND.equals(condition.getReason()))
                        .map(condition -> Finding.warning(
                                CheckName.CLAIMS,
                                "ClaimWarning",
                                FoundObject.of(claim),
                                text(condition),
                                describe(claim)));
            case FAILED -> Optional.of(notReady(claim, "ClaimFailed", ready));
            case RELEASED ->
                Optional.of(Finding.warning(
                        CheckName.CLAIMS,
                        "ClaimReleased",
                        FoundObject.of(claim),
                        ready.map(ClaimCheck::text).orElse("The bucket of this claim was released."),
                        "Delete the claim, and create a new one if a bucket is needed."));
            case PENDING -> isOld(claim) ? Optional.of(notReady(claim, "ClaimPending", ready)) : Optional.empty();
        };
    }

    private Finding notReady(ObjectBucketClaim claim, String reason, Optional<Condition> ready) {
        return Finding.error(
                CheckName.CLAIMS,
                reason,
                FoundObject.of(claim),
                ready.map(ClaimCheck::text).orElseGet(() -> "The claim is " + claim.phase() + ". " + unknown(claim)),
                describe(claim));
    }

    /** Why a claim may have no condition. */
    private String unknown(ObjectBucketClaim claim) {
        Optional<String> name = claim.getSpec().storageClass();
        if (name.isEmpty()) {
            return "It names no class, and no controller has chosen a default one.";
        }
        if (observed.storageClasses().lacks(found -> isNamed(found, name.get()))) {
            return "StorageClass " + name.get() + " does not exist.";
        }
        return observed.storageClasses().stream()
                .filter(found -> isNamed(found, name.get()))
                .map(found -> "No controller has reconciled it. Its class " + name.get() + " has the provisioner "
                        + found.getProvisioner() + served(found.getProvisioner()))
                .findFirst()
                .orElse("No controller has reconciled it.");
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

    private static boolean isNamed(StorageClass found, String name) {
        return found.getMetadata().getName().equals(name);
    }

    private Optional<Finding> examine(CosiResource<?> request) {
        if (Metadata.isBeingDeleted(request)) {
            return Optional.empty();
        }
        Optional<Condition> ready = ReadyCondition.find(request.status().conditions());
        boolean ok = ready.filter(condition ->
                        "True".equals(condition.getStatus()) || WAITS_FOR_USER.contains(condition.getReason()))
                .isPresent();
        boolean failed = request.status().phase().startsWith(ERROR_PHASE);
        if (ok || !(failed || isOld(request))) {
            return Optional.empty();
        }
        return Optional.of(Finding.error(
                CheckName.CLAIMS,
                failed ? "RequestFailed" : "RequestPending",
                FoundObject.of(request),
                ready.map(ClaimCheck::text).orElse("No controller has reconciled it."),
                describe(request)));
    }

    /** A Bucket whose provisioner reports a problem. */
    private Optional<Finding> examineBucket(CosiResource<?> bucket) {
        return ReadyCondition.find(bucket.status().conditions())
                .filter(condition -> !Metadata.isBeingDeleted(bucket))
                .filter(condition -> !"True".equals(condition.getStatus())
                        && !ProvisionerReason.of(String.valueOf(condition.getReason()))
                                .isInformational())
                .map(condition -> Finding.error(
                        CheckName.CLAIMS, "BucketNotReady", FoundObject.of(bucket), text(condition), describe(bucket)));
    }

    private boolean isOld(HasMetadata object) {
        return ObjectTimes.isOlderThan(
                observed.scope().stuckAfter(), object.getMetadata().getCreationTimestamp(), observed.now());
    }

    private static String text(Condition condition) {
        return condition.getReason() + ": " + condition.getMessage();
    }

    private static String describe(HasMetadata object) {
        return "kubectl describe " + FoundObject.of(object).kubectl();
    }
}
