package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules for the Secret of a BucketAccess that vanished, because somebody removed its finalizers: its accounts are revoked,
 * then the Secret is deleted. Pure. Without the Bucket nothing is known about the driver's bucket, so the Secret stays until a
 * restore brings it back.
 */
record LostAccessDecision(LostAccessObservation observed, Secret secret, Bucket bucket) {

    static Decision<Step> decide(LostAccessObservation observed) {
        return observed.secret()
                .flatMap(secret ->
                        observed.bucket().map(bucket -> new LostAccessDecision(observed, secret, bucket).decide()))
                .orElseGet(Decision::done);
    }

    private Decision<Step> decide() {
        Optional<String> left = Stream.of(
                        secret.getMetadata().getName(),
                        BucketAccess.secondOf(secret.getMetadata().getName()))
                .filter(account -> !observed.inFlight().revoked().contains(account))
                .findFirst();
        if (left.isPresent()) {
            return revoke(left.get());
        }
        if (!Metadata.isBeingDeleted(secret)) {
            return Decision.act(new Step.Write("delete the Secret of a lost access", secret, new Step.Delete()));
        }
        return Metadata.hasFinalizer(secret, CosiNames.PROVISIONER_FINALIZER)
                ? Decision.act(new Step.Write(
                        "remove the finalizer of a lost access",
                        secret,
                        new Step.Merge(Metadata.withoutFinalizer(secret, CosiNames.PROVISIONER_FINALIZER))))
                : Decision.done();
    }

    private Decision<Step> revoke(String account) {
        String inputs = account + " " + observed.preconditions().inputs(bucket);
        Optional<Result> blocked = observed.failure()
                .flatMap(attempt -> DriverPreconditions.blocked(attempt, DriverMethod.REVOKE_ACCESS, inputs));
        if (blocked.isPresent()) {
            return Decision.act(new Step.Report(
                    bucket,
                    DriverMethod.REVOKE_ACCESS.rpc(),
                    observed.failure().get().problem(),
                    blocked.get()));
        }
        if (observed.preconditions().driver() instanceof DriverState.Connecting) {
            return Decision.finish(Result.pending());
        }
        return observed.preconditions()
                .problem(bucket.getSpec().protocol().protocolSignature())
                .<Decision<Step>>map(
                        problem -> Decision.act(new Step.Report(bucket, DriverMethod.REVOKE_ACCESS.rpc(), problem)))
                .orElseGet(() -> Decision.act(new LostAccessStep(
                        account,
                        CosiOrders.revokeLost(
                                bucket,
                                account,
                                accountId(account),
                                observed.preconditions().secrets()),
                        inputs)));
    }

    /** The id by which the driver revokes the account, which only the Secret records. */
    private String accountId(String account) {
        DriverIds ids = DriverIds.of(secret);
        String shown = Metadata.annotation(secret, CosiNames.ACCOUNT);
        boolean current = shown.isEmpty() ? account.equals(secret.getMetadata().getName()) : account.equals(shown);
        String id = current ? ids.account() : ids.previousAccount();
        return id.isEmpty() ? account : id;
    }
}
