package io.bucketwright.app.claim;

import io.bucketwright.api.Names;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.app.claim.WaitOptions.Look;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim rotate}. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = {
            "Gives a claim new keys. They are in its Secret; the old ones stay valid for the class's rotationOverlap.",
            "Applications that read the Secret into their environment must be started again."
        })
final class RotateCommand extends AnsweringCommand {

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
            if (claim.phase() != Phase.BOUND || Words.isGoing(claim)) {
                throw new Failure("Claim " + namespace + "/" + name + " has no keys to renew: it is "
                        + (Words.isGoing(claim) ? "being deleted." : claim.phase() + "."));
            }
            String at = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
            claims.annotate(claim, Names.ROTATE_AT, at);
            out().println("Claim " + namespace + "/" + name + " is to have new keys as of " + at + ".");
            if (waiting.wanted()) {
                waiting.until(() -> look(claims, claims.read(namespace, name), at), out());
                out().println("The new keys are in Secret " + namespace + "/" + name + "."
                        + claims.bucketOf(claims.read(namespace, name))
                                .flatMap(RotateCommand::overlap)
                                .map(until -> " The old ones are valid until " + until + ".")
                                .orElse(""));
            }
            return 0;
        }
    }

    private static Look look(Claims claims, ObjectBucketClaim claim, String at) {
        ObjectBucket bucket = claims.bucketOf(claim)
                .orElseThrow(
                        () -> new Failure("Whether it is done cannot be seen: the ObjectBucket of the claim is gone,"
                                + " or you may not read it. Look whether the Secret has changed."));
        return look(bucket.getSpec().state(), claim, at);
    }

    static Look look(Map<String, String> state, ObjectBucketClaim claim, String at) {
        if (at.equals(state.get(Names.ROTATED_FOR_STATE))) {
            return new Look.Done();
        }
        String overlap = Optional.ofNullable(state.get(Names.PREVIOUS_KEY_UNTIL_STATE))
                .map(until -> " The keys before these are valid until " + Words.plain(until)
                        + ", and there are never three: it goes on then.")
                .orElse("");
        return new Look.Waiting("Waiting: " + Words.plain(Words.state(claim)) + overlap);
    }

    private static Optional<String> overlap(ObjectBucket bucket) {
        return Optional.ofNullable(bucket.getSpec().state().get(Names.PREVIOUS_KEY_UNTIL_STATE))
                .map(Words::plain);
    }
}
