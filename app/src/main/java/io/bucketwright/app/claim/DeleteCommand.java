package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.claim.WaitOptions.Look;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim delete}. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes a claim, its Secret and its ConfigMap. What becomes of the bucket, the class says.",
            "With --wait, says why it is not gone yet."
        })
final class DeleteCommand extends AnsweringCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "NAME", description = "The claim.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        try (Claims claims = scope.open()) {
            String namespace = scope.namespace();
            ObjectBucketClaim claim = claims.read(namespace, name);
            claims.delete(namespace, name);
            if (!waiting.wanted()) {
                out().println("Claim " + namespace + "/" + name + " is being deleted.");
                return 0;
            }
            String uid = claim.getMetadata().getUid();
            waiting.until(() -> look(claims.find(namespace, name), uid), out());
            out().println("Claim " + namespace + "/" + name + " is gone.");
            return 0;
        }
    }

    /** Another claim of the same name is not the one that was to go. */
    static Look look(Optional<ObjectBucketClaim> found, String uid) {
        return found.filter(claim -> claim.getMetadata().getUid().equals(uid))
                .<Look>map(claim -> new Look.Waiting(why(claim)))
                .orElse(new Look.Done());
    }

    private static String why(ObjectBucketClaim claim) {
        return Words.ready(claim)
                .filter(condition -> !condition.getStatus().equals("True"))
                .map(condition ->
                        "Waiting: " + Words.plain(condition.getReason()) + ": " + Words.plain(condition.getMessage()))
                .orElseGet(() -> "Waiting for whoever put these finalizers on the claim: "
                        + Words.plain(String.join(
                                ", ",
                                Optional.ofNullable(claim.getMetadata().getFinalizers())
                                        .orElse(List.of())))
                        + ".");
    }
}
