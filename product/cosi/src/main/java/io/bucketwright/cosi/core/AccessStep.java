package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A step for a grantee: one call to the driver, or one request. */
public sealed interface AccessStep extends Step.Call {

    /** Adds the finalizer, before there is an account that a deletion could leave in the store. */
    record Protect(RequestedAccess access) implements AccessStep {}

    record Unprotect(RequestedAccess access) implements AccessStep {}

    /**
     * Writes the ledger of a bucket.
     *
     * @param event about the access
     */
    record WriteLedger(GrantingBucket bucket, Change change, Optional<Step.Event> event) implements AccessStep {}

    /**
     * What becomes of the grants of one grantee.
     *
     * @param unused the id of a new grant, which no call has issued; empty if there is none
     */
    record Change(List<Grant> put, Set<String> removed, String unused) {
        public Change {
            put = List.copyOf(put);
            removed = Set.copyOf(removed);
        }

        static Change of(Grant... grants) {
            return new Change(List.of(grants), Set.of(), "");
        }

        static Change remove(Grant... grants) {
            return of().without(grants);
        }

        Change without(Grant... grants) {
            return new Change(put, Stream.of(grants).map(Grant::id).collect(Collectors.toUnmodifiableSet()), unused);
        }

        Change issuing(Grant grant) {
            return new Change(append(grant), removed, grant.id());
        }

        Change and(Grant grant) {
            return new Change(append(grant), removed, unused);
        }

        private List<Grant> append(Grant grant) {
            return Stream.concat(put.stream(), Stream.of(grant)).toList();
        }

        GrantLedger applyTo(GrantLedger ledger) {
            GrantLedger changed = ledger;
            for (String id : removed) {
                changed = changed.without(id);
            }
            for (Grant grant : put) {
                changed = changed.with(grant);
            }
            return changed;
        }
    }

    /** Asks the driver to issue a grant that the ledger has. */
    record Issue(GrantingBucket bucket, Grant grant, Permission.Permitted permission, String inputs)
            implements AccessStep {}

    /**
     * Asks the driver to revoke a grant.
     *
     * @param proves whether a success proves that the account does not exist
     */
    record Revoke(GrantingBucket bucket, Grant grant, String id, boolean proves, String inputs) implements AccessStep {}

    /**
     * Gives a revocation up and warns.
     *
     * @param note what an administrator does
     */
    record GiveUp(GrantingBucket bucket, Grant grant, String note) implements AccessStep {}

    /** Reports in the status of the access which account it has. */
    record WriteStatus(RequestedAccess access, String accountId, boolean granted, Optional<Step.Event> event)
            implements AccessStep {}

    /**
     * Reads a Secret.
     *
     * @param inputs of the attempt that fails if the Secret belongs to somebody else; empty if that does not matter
     */
    record ReadSecret(String name, String inputs) implements AccessStep {}

    /**
     * Writes credentials to the Secret that the access names.
     */
    record WriteSecret(
            RequestedAccess access, GrantingBucket bucket, Grant grant, Credentials credentials, String inputs)
            implements AccessStep {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "WriteSecret of grant " + grant.id();
        }
    }

    /** Where credentials come from. */
    sealed interface Credentials {
        record Issued(GrantedAccess granted) implements Credentials {}

        /** A Secret of the same access, under its former name. */
        record Copied(Secret secret) implements Credentials {}
    }

    /** Remembers that the Secret was there, without a request. */
    record Checked() implements AccessStep {}

    /** Removes the finalizer of the Secret, or deletes it if it has none. */
    record RemoveSecret(String name, Secret secret) implements AccessStep {
        @Override
        public String toString() {
            return "RemoveSecret " + name;
        }
    }
}
