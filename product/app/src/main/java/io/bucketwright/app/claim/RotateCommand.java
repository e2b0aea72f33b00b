package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.objects.ClaimGrants;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim rotate}. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = {
            "Rotates the keys of a claim. The old keys stay valid for the rotationOverlap of the class.",
            "For bucketaccess/NAME (objectstorage.k8s.io), rotates the credentials, if the driver supports that.",
            "Restart applications that read the Secret as environment variables."
        })
final class RotateCommand extends BaseCommand {

    private static final String BUCKET_ACCESS = "bucketaccess/";

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "NAME", description = "Name of the claim, or bucketaccess/NAME for a BucketAccess.")
    private String name = "";

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Override
    public Integer call() throws InterruptedException {
        String at = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        try (ClaimClient claims = scope.open()) {
            if (name.startsWith(BUCKET_ACCESS)) {
                rotateAccess(claims, name.substring(BUCKET_ACCESS.length()), at);
            } else {
                rotateClaim(claims, claims.read(scope.namespace(), name), at);
            }
            return 0;
        }
    }

    private void rotateAccess(ClaimClient claims, String access, String at) throws InterruptedException {
        AccessRotation rotation = AccessRotation.request(claims, scope.namespace(), access, at);
        out().println("BucketAccess " + scope.namespace() + "/" + access + ": rotation requested at " + at + ".");
        if (waiting.wanted()) {
            waiting.until(() -> rotation.progress(claims));
            out().println(rotation.result(claims));
        }
    }

    private void rotateClaim(ClaimClient claims, ObjectBucketClaim claim, String at) throws InterruptedException {
        if (claim.phase() != Phase.BOUND || Metadata.isBeingDeleted(claim)) {
            throw new CommandException("Claim " + ClaimText.key(claim) + " has no keys to rotate: it is "
                    + (Metadata.isBeingDeleted(claim) ? "being deleted." : claim.phase() + "."));
        }
        claims.annotate("claim " + ClaimText.key(claim), claim, ObjectBucketNames.ROTATE_AT, at);
        out().println("Claim " + ClaimText.key(claim) + ": rotation requested at " + at + ".");
        if (waiting.wanted()) {
            waiting.until(() -> progress(claims, claims.read(claim), at));
            out().println("The new keys are in Secret " + ClaimText.key(claim) + "."
                    + claims.bucketOf(claims.read(claim))
                            .flatMap(bucket -> overlap(grants(bucket)))
                            .map(until -> " The old keys are valid until " + until + ".")
                            .orElse(""));
        }
    }

    private static Progress progress(ClaimClient claims, ObjectBucketClaim claim, String at) {
        ObjectBucket bucket = claims.bucketOf(claim)
                .orElseThrow(() -> new CommandException(
                        "Cannot observe the rotation: the ObjectBucket of the claim does not exist, or"
                                + " you may not read it. Check whether the Secret has changed."));
        return progress(grants(bucket), claim, at);
    }

    static Progress progress(ClaimGrants grants, ObjectBucketClaim claim, String at) {
        if (at.equals(grants.rotatedFor())) {
            return new Progress.Done();
        }
        String overlap = overlap(grants)
                .map(until -> " A claim has at most two keys; the previous key is valid until " + until
                        + ", and the rotation continues then.")
                .orElse("");
        return new Progress.Waiting("Waiting: " + ClaimText.status(claim) + overlap);
    }

    private static ClaimGrants grants(ObjectBucket bucket) {
        try {
            return new RecordedBucket(bucket).readGrants();
        } catch (UnreadableLedgerException e) {
            throw new CommandException(
                    "Cannot observe the rotation: the record of its keys " + e.getMessage() + ".", e);
        }
    }

    private static Optional<String> overlap(ClaimGrants grants) {
        return grants.ending().flatMap(Grant::until).map(Instant::toString);
    }
}
