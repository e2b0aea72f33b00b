package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.runtime.objects.Metadata;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim delete}. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes a claim, its Secret and its ConfigMap. The reclaim policy of the class applies to the bucket.",
            "With --wait, prints what the deletion waits for."
        })
final class DeleteCommand extends BaseCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "NAME", description = "Name of the claim.")
    private String name = "";

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (ClaimClient claims = scope.open()) {
            delete(claims, claims.read(scope.namespace(), name));
            return 0;
        }
    }

    private void delete(ClaimClient claims, ObjectBucketClaim claim) throws InterruptedException {
        claims.delete(claim);
        if (waiting.wanted()) {
            String uid = claim.getMetadata().getUid();
            waiting.until(() -> progress(claims.find(claim).orElse(null), uid));
        }
        out().println("Claim " + ClaimText.key(claim) + (waiting.wanted() ? " deleted." : " is being deleted."));
    }

    /** A claim with the same name and another uid is a new claim. */
    static Progress progress(@Nullable ObjectBucketClaim found, String uid) {
        return found != null && found.getMetadata().getUid().equals(uid)
                ? new Progress.Waiting(reason(found))
                : new Progress.Done();
    }

    private static String reason(ObjectBucketClaim claim) {
        if (ClaimText.ready(claim)
                .filter(condition -> !condition.getStatus().equals("True"))
                .isPresent()) {
            return "Waiting: " + ClaimText.status(claim);
        }
        return Metadata.hasFinalizer(claim, ObjectBucketNames.FINALIZER)
                ? "Waiting for the controller to release the bucket and remove its finalizer "
                        + ObjectBucketNames.FINALIZER + "."
                : "Waiting for finalizers of other controllers: "
                        + ClaimText.plain(String.join(", ", Metadata.finalizers(claim))) + ".";
    }
}
