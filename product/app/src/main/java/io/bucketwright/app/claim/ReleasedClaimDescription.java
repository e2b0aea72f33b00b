package io.bucketwright.app.claim;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.cosi.controller.claims.ClaimDiagnosis;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Details of a BucketClaim or BucketAccess of {@code objectstorage.k8s.io}, and why it is not ready.
 *
 * @param claims reads what belongs to it, as far as the user may
 */
record ReleasedClaimDescription(ClaimClient claims, Instant now) {

    private static final String UNREADABLE = "unknown: you may not read Buckets and BucketClasses. See the events.";

    List<String> lines(BucketClaim claim) {
        List<String> lines = begin(claim);
        field(lines, "Class", claim.spec().bucketClassName());
        field(lines, "Bucket", claim.status().bucketName());
        field(lines, "Ready", ready(claim, claim.status().bucketReady()));
        List<ReleasedBucketAccess> accesses = claims
                .listIfAllowed(ReleasedBucketAccess.class, claim.getMetadata().getNamespace())
                .orElse(List.of())
                .stream()
                .filter(access -> access.spec()
                        .bucketClaimName()
                        .equals(claim.getMetadata().getName()))
                .toList();
        ClaimClient.Lookup<ReleasedBucket> bucket = bucketOf(claim);
        ClaimClient.Lookup<ReleasedBucketClass> bucketClass =
                claims.lookup(ReleasedBucketClass.class, "", claim.spec().bucketClassName());
        field(
                lines,
                "Reason",
                bucket.allowed() && bucketClass.allowed()
                        ? new ClaimDiagnosis(claim, bucket.object(), bucketClass.object(), accesses).explain(now)
                        : UNREADABLE);
        bucket.object().ifPresent(found -> bucket(lines, found));
        lines.add("BucketAccesses:");
        accesses.forEach(access -> lines.add("  " + access.getMetadata().getName()
                + (access.status().accessGranted() ? " granted" : " not granted")
                + (Metadata.isBeingDeleted(access) ? ", being deleted" : "")));
        if (accesses.isEmpty()) {
            lines.add("  none");
        }
        events(lines, claim);
        return lines;
    }

    List<String> lines(ReleasedBucketAccess access) {
        List<String> lines = begin(access);
        field(lines, "Claim", access.spec().bucketClaimName());
        field(lines, "Class", access.spec().bucketAccessClassName());
        field(lines, "Secret", access.spec().credentialsSecretName());
        field(lines, "Granted", ready(access, access.status().accessGranted()));
        field(lines, "Reason", reason(access));
        events(lines, access);
        return lines;
    }

    /** What the sidecar waits for, as far as objects show it. */
    private String reason(ReleasedBucketAccess access) {
        if (Metadata.isBeingDeleted(access)) {
            return "The sidecar revokes the access. See the events.";
        }
        if (access.status().accessGranted()) {
            return "The Secret grants access to the bucket.";
        }
        ClaimClient.Lookup<BucketClaim> claim = claims.lookup(
                BucketClaim.class,
                access.getMetadata().getNamespace(),
                access.spec().bucketClaimName());
        if (claim.allowed() && claim.object().isEmpty()) {
            return "WaitingForBucket: BucketClaim " + access.spec().bucketClaimName()
                    + " does not exist in this namespace: create it.";
        }
        if (claim.object().filter(found -> !found.status().bucketReady()).isPresent()) {
            return "WaitingForBucket: BucketClaim " + access.spec().bucketClaimName()
                    + " is not ready. Describe it: bucketwright claim describe bucketclaim/"
                    + access.spec().bucketClaimName();
        }
        return "The sidecar of the driver of the BucketAccessClass has not granted it. See the events.";
    }

    private ClaimClient.Lookup<ReleasedBucket> bucketOf(BucketClaim claim) {
        return claims.lookup(ReleasedBucket.class, "", ClaimDiagnosis.bucketName(claim));
    }

    private void bucket(List<String> lines, ReleasedBucket bucket) {
        lines.add("Bucket " + bucket.getMetadata().getName() + ":");
        lines.add("  driver " + ClaimText.plain(bucket.spec().driverName()));
        lines.add("  deletion policy " + ClaimText.plain(bucket.spec().deletionPolicy())
                + (bucket.deletesBackend() ? "" : ": the bucket stays when the claim is deleted"));
        lines.add("  " + (bucket.status().bucketReady() ? "ready" : "not ready")
                + (Metadata.isBeingDeleted(bucket) ? ", being deleted" : ""));
        if (!bucket.status().bucketID().isEmpty()) {
            lines.add("  id " + ClaimText.plain(bucket.status().bucketID()));
        }
        lines.add("  claim " + text(bucket.spec().bucketClaim().getNamespace()) + "/"
                + text(bucket.spec().bucketClaim().getName()));
        lines.addAll(AccessRow.lines(RecordedAccess.of(bucket)));
    }

    private void events(List<String> lines, HasMetadata object) {
        lines.addAll(ClaimDescription.events(
                claims.events(object, object.getMetadata().getNamespace()), now));
    }

    private List<String> begin(HasMetadata object) {
        List<String> lines = new ArrayList<>();
        field(lines, "Kind", object.getKind() + " (" + object.getApiVersion() + ")");
        field(lines, "Name", object.getMetadata().getName());
        field(lines, "Namespace", object.getMetadata().getNamespace());
        field(lines, "Age", ClaimText.age(object.getMetadata().getCreationTimestamp(), now));
        return lines;
    }

    private static String ready(HasMetadata object, boolean ready) {
        return (ready ? "yes" : "no") + (Metadata.isBeingDeleted(object) ? ", being deleted" : "");
    }

    private static void field(List<String> lines, String name, String value) {
        ClaimDescription.field(lines, name, value);
    }

    private static String text(String value) {
        return ClaimText.plain(Optional.ofNullable(value).orElse(""));
    }
}
