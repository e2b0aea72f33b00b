package io.bucketwright.app.claim;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.store.grants.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to open a bucket.
 *
 * @param grantee namespace and name of a claim or access, or everyone
 * @param account the user in the store; empty if none is needed
 * @param keyId the public part of the credentials; empty if it is not known
 * @param secret the name of the Secret in the namespace of the grantee; empty if the credentials are in none
 * @param since when it got its state; empty if that is not recorded
 * @param until when it ends; empty if that is not planned
 */
record AccessRow(
        String grantee,
        String kind,
        String account,
        String keyId,
        String secret,
        String state,
        String since,
        String until,
        String why) {

    private static final String OPEN = "OPEN";

    /** @param released whether its claim was deleted, and the store has not confirmed yet that the access ended */
    static AccessRow of(String kind, Grant grant, boolean released) {
        return new AccessRow(
                grant.grantee().toString(),
                kind,
                grant.account().revocationId(),
                grant.publication().keyId(),
                grant.publication().secret(),
                (released ? Grant.State.REVOKING : grant.state()).name(),
                grant.since().toString(),
                grant.until().map(Instant::toString).orElse(""),
                released
                        ? "The " + kind + " is deleted, and the store has not confirmed that its access ended."
                        : why(kind, grant));
    }

    private static String why(String kind, Grant grant) {
        return switch (grant.state()) {
            case ISSUING -> "The store is asked for it, and has not answered.";
            case ISSUED -> "It is in no Secret.";
            case PUBLISHED -> "The " + kind + " exists.";
            case RETIRING -> "Another key replaced it; applications may use it until then.";
            case REVOKING -> "It is being revoked, and the store has not confirmed that.";
            case UNCONFIRMED -> "Whether it exists is not known: the store did not answer in time.";
        };
    }

    /** Access of others than those who have credentials. */
    static AccessRow open(String kind, String why) {
        return new AccessRow("everyone", kind, "", "", "", OPEN, "", "", why);
    }

    /** A table with a header. */
    static List<String> table(List<AccessRow> rows) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.of("GRANTEE", "KIND", "ACCOUNT", "KEY ID", "SECRET", "STATE", "SINCE", "UNTIL", "WHY"));
        rows.forEach(row -> cells.add(row.cells()));
        return TextTable.of(cells);
    }

    /** The rows as a part of a description, which has no value of a Secret. */
    static List<String> lines(RecordedAccess access) {
        try {
            return access.rows().stream()
                    .map(row -> "  access of " + ClaimText.plain(row.grantee) + ": " + ClaimText.plain(row.state)
                            + (row.until.isEmpty() ? "" : ", until " + row.until))
                    .toList();
        } catch (CommandException unknown) {
            return List.of("  access: " + unknown.getMessage());
        }
    }

    private List<String> cells() {
        return List.of(grantee, kind, account, keyId, secret, state, since, until, why).stream()
                .map(TextTable::cell)
                .toList();
    }
}
