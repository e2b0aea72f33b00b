package io.bucketwright.cosi.sanity;

import java.util.Set;

/** What can be wrong with the credentials that a driver hands out, and which checks must notice. */
enum StoreFault {
    GRANTS_WHAT_OPENS_NOTHING(
            "credentials-granted",
            "credentials-one-bucket",
            "credentials-repeated-grant",
            "credentials-revoked",
            "credentials-read-only",
            "credentials-private-bucket",
            "credentials-public-bucket",
            "credentials-delete-nonempty-bucket"),
    GRANTS_THE_ADMINISTRATORS_KEYS(
            "credentials-one-bucket", "credentials-repeated-grant", "credentials-revoked", "credentials-read-only"),
    LETS_KEYS_PILE_UP("credentials-repeated-grant"),
    REVOKES_NOTHING("credentials-revoked"),
    IGNORES_THE_ACCESS_MODE("credentials-read-only"),
    MAKES_EVERYTHING_PUBLIC(
            "credentials-private-bucket",
            "credentials-public-bucket",
            "credentials-one-bucket",
            "credentials-read-only"),
    IGNORES_THE_ANONYMOUS_MODE("credentials-public-bucket"),
    DELETES_NOTHING("credentials-delete-nonempty-bucket");

    private final String noticedBy;

    StoreFault(String... noticedBy) {
        this.noticedBy = String.join(" ", noticedBy);
    }

    Set<String> noticedBy() {
        return Set.of(noticedBy.split(" ", -1));
    }
}
