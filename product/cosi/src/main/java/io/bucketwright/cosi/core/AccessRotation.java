package io.bucketwright.cosi.core;

import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.AccessState.Answer;
import io.bucketwright.cosi.core.AccessStep.Change;
import io.bucketwright.cosi.core.Permission.Permitted;
import io.bucketwright.cosi.sidecar.driver.CredentialRotation;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The rules for the second grant of an access, which replaces the published one. Pure. */
record AccessRotation(EntitledAccess base) {

    /** The Secret may use either account, so none is revoked before the access is deleted. */
    Decision<Step> unchanged(Grant issued, Grant current) {
        Grant answered = current.with(
                current.publication().answering(issued.publication().request()));
        Change change = base.isCurrent(issued.account().id())
                ? Change.of(answered).without(issued)
                : Change.of(answered, issued.in(State.RETIRING, base.now()));
        return base.rules()
                .write(
                        base.bucket(),
                        change,
                        EntitledAccess.warning(
                                ReleasedReason.ROTATION_NOT_SUPPORTED,
                                "The driver returned the credentials that are in the Secret, so they cannot be rotated."
                                        + EntitledAccess.stayValid(current)));
    }

    Decision<Step> publish(Grant issued, Grant current, Permitted permitted) {
        Optional<Answer> answer = base.rules().answer(base.bucket(), issued);
        if (base.rules().isRevoked(base.bucket(), issued)) {
            return base.rules().write(base.bucket(), Change.remove(issued));
        }
        return switch (base.inFlight().secret(current.publication().secret())) {
            case UserSecret.Owned owned when owned.has(issued) -> replace(issued, current, permitted);
            case UserSecret.Foreign() -> base.read(current);
            case UserSecret.Unknown() when answer.isEmpty() -> base.read(current);
            case UserSecret.Unknown(), UserSecret.Missing(), UserSecret.Owned _ -> {
                Publication publication =
                        issued.publication().in(current.publication().secret());
                // Without the answer nobody has the credentials. The rotation is repeated.
                yield answer.map(granted -> base.writeSecret(issued, publication, granted))
                        .orElseGet(() -> base.rules().revoke(base.bucket(), issued));
            }
        };
    }

    private Decision<Step> replace(Grant issued, Grant current, Permitted permitted) {
        String secret = current.publication().secret();
        Grant published = issued.with(issued.publication().in(secret)).in(State.PUBLISHED, base.now());
        if (base.isCurrent(issued.account().id())) {
            return base.rules()
                    .write(
                            base.bucket(),
                            Change.of(published).without(current),
                            EntitledAccess.warning(
                                    ReleasedReason.ROTATION_NOT_SUPPORTED,
                                    "Secret " + secret
                                            + " contains new credentials, but the driver issued them for the same"
                                            + " account. If the previous ones are still valid, they cannot be revoked before the"
                                            + " BucketAccess is deleted."));
        }
        Duration overlap =
                CredentialRotation.overlap(permitted.overlap().text()).orElse(CredentialRotation.DEFAULT_OVERLAP);
        Instant until = base.now().plus(overlap);
        return base.rules()
                .write(
                        base.bucket(),
                        Change.of(
                                published,
                                current.in(State.RETIRING, base.now()).endingAt(until)),
                        new Step.Event(
                                false,
                                ReleasedReason.ACCESS_ROTATED,
                                DriverMethod.GRANT_ACCESS.rpc(),
                                "Secret " + secret + " contains new credentials. The previous ones are valid until "
                                        + until + "."));
    }

    /** A second account that was not issued for certain ends the rotation; the published one is not touched. */
    Decision<Step> unanswered(Grant grant, Grant current, Permitted permitted) {
        boolean namesAreIds = base.rules().observed().settings().namesAreIds();
        if (base.attempt(grant).taken() && !namesAreIds) {
            return refused(grant, current);
        }
        if (!base.isRevokedByName(grant)) {
            return base.rules().revoke(base.bucket(), grant);
        }
        if (namesAreIds) {
            return base.attempt(grant).taken()
                    ? refused(grant, current)
                    : isGivenUp()
                            ? givenUp(current, grant, Change.remove(grant))
                            : base.gate()
                                    .call(
                                            DriverMethod.GRANT_ACCESS,
                                            inputs -> new AccessStep.Issue(base.bucket(), grant, permitted, inputs));
        }
        return givenUp(current, grant, Change.of(grant.in(State.UNCONFIRMED, base.now())));
    }

    boolean isGivenUp() {
        return base.gate()
                .failure(DriverMethod.GRANT_ACCESS)
                .filter(attempt -> attempt.attempts() >= EntitledAccess.MAX_GRANTS)
                .isPresent();
    }

    Decision<Step> refused(Grant grant, Grant current) {
        return base.rules()
                .write(
                        base.bucket(),
                        Change.remove(grant)
                                .and(current.with(current.publication()
                                        .answering(grant.publication().request()))),
                        EntitledAccess.warning(
                                ReleasedReason.ROTATION_NOT_SUPPORTED,
                                base.cause()
                                        + "The driver cannot grant a second account, so the credentials are not rotated."
                                        + EntitledAccess.stayValid(current)));
    }

    Decision<Step> givenUp(Grant current, Grant grant, Change change) {
        boolean lost = !change.put().isEmpty();
        return base.rules()
                .write(
                        base.bucket(),
                        change.and(current.with(current.publication()
                                .answering(grant.publication().request()))),
                        EntitledAccess.warning(
                                ReleasedReason.FAILED_ROTATE_ACCESS,
                                base.cause()
                                        + "The driver did not grant a second account, so the credentials are not rotated."
                                        + (lost ? " " + base.rules().lost(base.bucket(), grant) : "")
                                        + EntitledAccess.stayValid(current)));
    }
}
