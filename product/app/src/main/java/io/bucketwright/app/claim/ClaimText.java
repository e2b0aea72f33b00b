package io.bucketwright.app.claim;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.app.command.ObjectTime;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Text about claims for the terminal: ages, conditions, and user-written text made safe. */
final class ClaimText {

    static final String NOTHING = "-";

    private static final String READY = "Ready";

    private ClaimText() {}

    /** Namespace and name. */
    static String key(ObjectBucketClaim claim) {
        return claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
    }

    /** A duration as kubectl prints ages: 45s, 12m, 5h, 3d. */
    static String duration(Duration duration) {
        Duration positive = duration.isNegative() ? Duration.ZERO : duration;
        if (positive.toMinutes() < 2) {
            return positive.toSeconds() + "s";
        }
        if (positive.toHours() < 2) {
            return positive.toMinutes() + "m";
        }
        return positive.toDays() < 2 ? positive.toHours() + "h" : positive.toDays() + "d";
    }

    static String age(@Nullable String timestamp, Instant now) {
        return ObjectTime.parse(timestamp)
                .map(since -> duration(Duration.between(since, now)))
                .orElse(NOTHING);
    }

    static List<Condition> conditions(@Nullable BucketStatus status) {
        return Optional.ofNullable(status).map(BucketStatus::conditions).orElse(List.of());
    }

    static Optional<Condition> ready(ObjectBucketClaim claim) {
        return Optional.ofNullable(claim.getStatus()).flatMap(status -> status.condition(READY));
    }

    /** Reason and message of the Ready condition, safe to print. */
    static String status(ObjectBucketClaim claim) {
        return ready(claim)
                .map(condition -> plain(condition.getReason()) + ": " + plain(condition.getMessage()))
                .orElse("The claim is " + claim.phase() + ". It has no Ready condition.");
    }

    /** Why a claim has no conditions, and what to check. */
    static String noConditions(ObjectBucketClaim claim, boolean classMissing) {
        if (classMissing) {
            return "StorageClass " + plain(claim.getSpec().storageClass().orElse(""))
                    + " does not exist. The claim is bound after the class is created.";
        }
        if (claim.phase() != Phase.PENDING) {
            return "The controller of the claim writes none, or the CRD drops them, as that of NooBaa does. See the"
                    + " events.";
        }
        return "No controller has reconciled the claim, or the CRD drops conditions, as that of NooBaa does. See the"
                + " events, and check that a controller for the provisioner of its class is running.";
    }

    /** User-written text on one line, without control characters that could change the terminal. */
    static String plain(@Nullable String text) {
        return text == null ? "" : SafeText.line(text, Integer.MAX_VALUE);
    }
}
