package io.bucketwright.cosi.core;

import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import java.util.List;

/**
 * The ledger that an object records for its bucket.
 *
 * @param ledger empty if it cannot be read
 * @param problem why it cannot be read: then nothing is granted, revoked or deleted because of it. Empty if it can
 */
public record BucketGrants(GrantLedger ledger, String problem) {

    /** Of the value of an annotation; empty for no grants. */
    public static BucketGrants of(String recorded) {
        try {
            return new BucketGrants(GrantLedgerCodec.decode(recorded), "");
        } catch (UnreadableLedgerException e) {
            return new BucketGrants(GrantLedger.EMPTY, "The ledger of grants " + e.getMessage() + ".");
        }
    }

    public boolean isReadable() {
        return problem.isEmpty();
    }

    /** Whether nobody has access: only then the bucket may be deleted, or get another owner. */
    public boolean isEmpty() {
        return isReadable() && ledger.isEmpty();
    }

    /** For whom credentials were issued and not revoked, for people; empty only if nobody has access. */
    public List<String> holders() {
        return isReadable()
                ? ledger.grants().stream()
                        .map(grant -> grant.grantee().toString())
                        .distinct()
                        .sorted()
                        .toList()
                : List.of("unknown, because the ledger cannot be read");
    }
}
