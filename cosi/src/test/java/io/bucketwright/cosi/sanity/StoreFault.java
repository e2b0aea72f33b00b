package io.bucketwright.cosi.sanity;

import java.util.Set;

/** What can be wrong with the credentials that a driver hands out, and which checks must notice. */
enum StoreFault {
    GRANTS_WHAT_OPENS_NOTHING(
            "use-granted",
            "use-one-bucket",
            "use-repeated",
            "use-revoked",
            "use-read-only",
            "use-private",
            "use-public",
            "use-delete-full"),
    GRANTS_THE_ADMINISTRATORS_KEYS("use-one-bucket", "use-repeated", "use-revoked", "use-read-only"),
    LETS_KEYS_PILE_UP("use-repeated"),
    REVOKES_NOTHING("use-revoked"),
    IGNORES_THE_ACCESS_MODE("use-read-only"),
    MAKES_EVERYTHING_PUBLIC("use-private", "use-public", "use-one-bucket", "use-read-only"),
    IGNORES_THE_ANONYMOUS_MODE("use-public"),
    DELETES_NOTHING("use-delete-full");

    private final String noticedBy;

    StoreFault(String... noticedBy) {
        this.noticedBy = String.join(" ", noticedBy);
    }

    Set<String> noticedBy() {
        return Set.of(noticedBy.split(" ", -1));
    }
}
