package io.bucketwright.store.grants;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One issued credential, or one that may have been issued.
 *
 * @param id never used again for the bucket
 * @param grantee who it is issued for
 * @param since when it got its state
 * @param until when its account is revoked; empty if that is not planned
 */
public record Grant(
        String id,
        Grantee grantee,
        Account account,
        Publication publication,
        State state,
        Instant since,
        Optional<Instant> until) {

    /** Whether a credential works, as far as it is known. */
    public enum State {
        /** The store or driver is being asked: it may exist, and nobody has its credentials. */
        ISSUING,
        /** It exists, and its credentials are in no Secret yet. */
        ISSUED,
        /** Its credentials are in the Secret, or were about to be written there when a process ended. */
        PUBLISHED,
        /** Another one replaced it in the Secret; it works until the end of the overlap. */
        RETIRING,
        /** The store or driver is being asked to revoke it. */
        REVOKING,
        /** Whether it works is not known, and an administrator was informed. */
        UNCONFIRMED
    }

    /**
     * What the store or driver is asked for.
     *
     * @param name that it is requested by
     * @param id by which it is revoked; empty until the store or driver has answered
     * @param parameters that a revocation needs, and what else is recorded about the request
     */
    public record Account(String name, String id, Map<String, String> parameters) {

        public Account {
            parameters = Map.copyOf(parameters);
        }

        /** By which it is revoked: the name as long as nothing else is known. */
        public String revocationId() {
            return id.isEmpty() ? name : id;
        }
    }

    /**
     * Where the credentials are.
     *
     * @param secret the name of the Secret in the namespace of the grantee; empty if they were never in one
     * @param formerSecret where they were before, until that Secret is released; empty if nowhere
     * @param keyId the public part of the credentials, or a fingerprint of them; empty if the store has none
     * @param request the last request for a rotation that these credentials fulfil, or that was given up while they were
     *     valid; empty if there was none
     */
    public record Publication(String secret, String formerSecret, String keyId, String request) {

        public static final Publication NONE = new Publication("", "");

        public Publication(String secret, String keyId) {
            this(secret, "", keyId, "");
        }

        public Publication in(String name) {
            return name.equals(secret) ? this : new Publication(name, secret, keyId, request);
        }

        public Publication withoutFormer() {
            return new Publication(secret, "", keyId, request);
        }

        public Publication withKey(String id) {
            return new Publication(secret, formerSecret, id, request);
        }

        public Publication answering(String at) {
            return new Publication(secret, formerSecret, keyId, at);
        }
    }

    public Grant {
        if (id.isEmpty() || account.name().isEmpty()) {
            throw new IllegalArgumentException("a grant for " + grantee + " has no id, or no name of an account");
        }
    }

    /** Before the store or driver is asked. */
    public static Grant issuing(String id, Grantee grantee, Account account, Instant now) {
        return new Grant(id, grantee, account, Publication.NONE, State.ISSUING, now, Optional.empty());
    }

    public Grant in(State next, Instant now) {
        return state == next ? this : new Grant(id, grantee, account, publication, next, now, until);
    }

    public Grant with(Account changed) {
        return new Grant(id, grantee, changed, publication, state, since, until);
    }

    public Grant with(Publication changed) {
        return new Grant(id, grantee, account, changed, state, since, until);
    }

    /** Its account is revoked then. */
    public Grant endingAt(Instant end) {
        return new Grant(id, grantee, account, publication, state, since, Optional.of(end));
    }

    /** Whether applications may use it. */
    public boolean isPublished() {
        return state == State.PUBLISHED || state == State.RETIRING;
    }
}
