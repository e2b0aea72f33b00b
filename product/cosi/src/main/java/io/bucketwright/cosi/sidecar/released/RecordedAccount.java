package io.bucketwright.cosi.sidecar.released;

/**
 * An account in the store, beside the one whose credentials are published.
 *
 * @param id by which the driver revokes it; the name, if its id was lost
 * @param validUntil when it is revoked, RFC 3339; empty if it stays until the access is deleted
 */
public record RecordedAccount(String id, State state, String validUntil) {

    /** What is known about an account. */
    public enum State {
        /** It was published before the last rotation. */
        PREVIOUS,
        /** The driver was asked, or is about to be asked, to revoke it. */
        REVOKING,
        /** It exists, and its credentials were never published. */
        UNUSED,
        /** It may exist. */
        LOST
    }

    /** Whether it exists for certain. */
    public boolean isCertain() {
        return state == State.PREVIOUS || state == State.UNUSED;
    }

    RecordedAccount revoking() {
        return isCertain() ? new RecordedAccount(id, State.REVOKING, validUntil) : this;
    }
}
