package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.command.BaseCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command for one claim that must exist. */
abstract class ExistingClaimCommand extends BaseCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "NAME", description = "Name of the claim.")
    private String name = "";

    @Override
    public final Integer call() throws InterruptedException {
        try (ClaimClient claims = scope.open()) {
            run(claims, claims.read(scope.namespace(), name));
            return 0;
        }
    }

    abstract void run(ClaimClient claims, ObjectBucketClaim claim) throws InterruptedException;
}
