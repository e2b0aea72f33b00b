package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.rotation.AccountRecord;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;

/** Carries out the steps about the accounts of a BucketAccess that its Bucket records. */
final class AccountRecordActs {

    private final ReleasedContext context;
    private final InFlightState<ObjectKey, InFlightReleasedAccess> inFlight;

    AccountRecordActs(ReleasedContext context, InFlightState<ObjectKey, InFlightReleasedAccess> inFlight) {
        this.context = context;
        this.inFlight = inFlight;
    }

    Outcome recordName(ReleasedAccessStep.RecordName step) {
        write(step.access(), step.bucket(), step.accounts());
        ObjectKey key = ObjectKey.of(step.access());
        inFlight.update(key, InFlightReleasedAccess::afterNextName);
        inFlight.clearFailure(key);
        if (!step.lost().isEmpty()) {
            context.runtime()
                    .events()
                    .warning(
                            step.access(),
                            DriverMethod.REVOKE_ACCESS.eventReason(),
                            DriverMethod.GRANT_ACCESS.rpc(),
                            "The answer of the driver to the grant of account " + step.lost()
                                    + " was lost, and the driver does not grant access to it again. The sidecar uses"
                                    + " another account. If the store has an account for " + step.lost()
                                    + ", delete it there.");
        }
        return Outcome.progress();
    }

    Outcome recordAccounts(ReleasedAccessStep.RecordAccounts step) {
        write(step.access(), step.bucket(), step.accounts());
        inFlight.update(ObjectKey.of(step.access()), state -> {
            InFlightReleasedAccess marked = state.withRevoking(step.marked());
            boolean recorded = marked.granted()
                    .filter(granted -> step.accounts().has(granted.accountId()))
                    .isPresent();
            return recorded ? marked.withoutGrant() : marked;
        });
        return Outcome.progress();
    }

    Outcome endRotation(ReleasedAccessStep.EndRotation step) {
        boolean rotated = step.event().equals(ReleasedReason.ACCESS_ROTATED);
        if (!rotated) {
            // Before the write, which says that the request is handled: nobody would report it later.
            context.runtime()
                    .events()
                    .warning(step.access(), step.event(), DriverMethod.GRANT_ACCESS.rpc(), step.note());
        }
        write(step.access(), step.bucket(), step.accounts());
        ObjectKey key = ObjectKey.of(step.access());
        inFlight.update(key, _ -> InFlightReleasedAccess.none());
        inFlight.clearFailure(key);
        if (rotated) {
            context.runtime()
                    .events()
                    .normal(step.access(), step.event(), DriverMethod.GRANT_ACCESS.rpc(), step.note());
        }
        return Outcome.progress();
    }

    private void write(ReleasedBucketAccess access, ReleasedBucket bucket, AccountRecord accounts) {
        String key = ObservedReleasedAccess.accountsKey(access);
        ReleasedBucket _ = context.runtime()
                .writer()
                .replace(
                        bucket,
                        whole -> ReleasedUpdates.changed(
                                whole,
                                accounts.isEmpty()
                                        ? ReleasedUpdates.withoutAnnotation(key)
                                        : ReleasedUpdates.annotation(key, accounts.encode())));
    }
}
