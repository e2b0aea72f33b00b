package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What only this process knows about a grantee.
 *
 * @param protectedHere whether this process has added the finalizer: no earlier one has begun anything
 * @param answer the driver's answer, until the Secret has the credentials
 * @param secrets by their names
 * @param attempts by the grants that they are about: bucket and id
 * @param checked when the Secret was last known to be there; there is no watch that would show that it is not
 */
public record AccessState(
        boolean protectedHere,
        Optional<Answer> answer,
        Map<String, UserSecret> secrets,
        Map<String, Attempt> attempts,
        Optional<Moment> checked) {

    public static final AccessState NONE =
            new AccessState(false, Optional.empty(), Map.of(), Map.of(), Optional.empty());

    public AccessState {
        secrets = Map.copyOf(secrets);
        attempts = Map.copyOf(attempts);
    }

    /**
     * The answer to a grant.
     *
     * @param fingerprint of its credentials
     */
    record Answer(String grant, GrantedAccess granted, String fingerprint) {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "Answer to " + grant;
        }
    }

    /**
     * What has happened to one grant.
     *
     * @param unused whether no call can have issued it: the ledger has it since this process wrote it, or it was refused
     * @param taken whether the driver answered that an account of that name exists
     * @param revokedByName whether the driver has confirmed a revocation by its name, which may be another id
     * @param revoked whether nothing is left to revoke
     * @param failed when the driver answered a grant with an error that does not show whether it was issued
     * @param absence since when the driver answers with errors that may mean that it does not exist
     */
    record Attempt(
            boolean unused,
            boolean taken,
            boolean revokedByName,
            boolean revoked,
            Optional<Moment> failed,
            Optional<Absence> absence) {
        static final Attempt NONE = new Attempt(false, false, false, false, Optional.empty(), Optional.empty());
        static final Attempt UNUSED = new Attempt(true, false, false, false, Optional.empty(), Optional.empty());
        static final Attempt TAKEN = new Attempt(false, true, false, false, Optional.empty(), Optional.empty());

        Attempt failedAt(Moment moment) {
            return new Attempt(unused, taken, revokedByName, revoked, Optional.of(moment), absence);
        }

        /** After the driver has confirmed a revocation, which may prove that the account does not exist. */
        Attempt withRevokedByName(boolean proves) {
            return new Attempt(false, taken, true, proves, failed, Optional.empty());
        }

        /** After another answer. */
        Attempt present() {
            return new Attempt(unused, taken, revokedByName, revoked, failed, Optional.empty());
        }

        /** After another such error. */
        Attempt absentAt(Moment moment) {
            Moment first = absence.map(Absence::first).orElse(moment);
            return new Attempt(unused, taken, revokedByName, revoked, failed, Optional.of(new Absence(first, moment)));
        }
    }

    /** The first and the last of the same errors in a row. Time without an attempt shows nothing. */
    record Absence(Moment first, Moment last) {
        Duration duration() {
            return last.since(first);
        }
    }

    UserSecret secret(String name) {
        return secrets.getOrDefault(name, new UserSecret.Unknown());
    }

    Attempt attempt(String grant) {
        return attempts.getOrDefault(grant, Attempt.NONE);
    }

    AccessState afterProtect() {
        return new AccessState(true, answer, secrets, attempts, checked);
    }

    AccessState withAnswer(Answer value) {
        return new AccessState(protectedHere, Optional.of(value), secrets, attempts, checked);
    }

    /** Without the credentials of these grants. */
    AccessState withoutAnswer(Predicate<String> grants) {
        return new AccessState(
                protectedHere, answer.filter(found -> !grants.test(found.grant())), secrets, attempts, checked);
    }

    AccessState withSecret(String name, UserSecret value) {
        Map<String, UserSecret> all = new HashMap<>(secrets);
        all.put(name, value);
        return new AccessState(protectedHere, answer, all, attempts, checked);
    }

    AccessState withAttempt(String grant, UnaryOperator<Attempt> change) {
        Map<String, Attempt> all = new HashMap<>(attempts);
        all.put(grant, change.apply(attempt(grant)));
        return new AccessState(protectedHere, answer, secrets, all, checked);
    }

    /** Nothing but when the Secret is read again. */
    static AccessState checkedAt(Moment moment) {
        return new AccessState(false, Optional.empty(), Map.of(), Map.of(), Optional.of(moment));
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "AccessState, granted: " + answer.isPresent();
    }
}
