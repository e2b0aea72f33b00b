package io.bucketwright.cosi.sanity;

import java.util.Set;

/** What can be wrong with a driver, and which checks must notice. */
enum Fault {
    ILLEGAL_NAME("info-name"),
    NO_PROTOCOL("info-protocol"),
    CHANGING_INFO("info-stable"),

    CREATE_ANSWERS_ANOTHER_NAME("create-bucket"),
    CREATE_TELLS_NO_ENDPOINT("create-connection"),
    CREATE_TELLS_A_SECRET("create-no-secrets"),
    CREATE_ANSWERS_OTHERWISE_EACH_TIME("create-repeat"),
    CREATE_IS_NOT_REPEATABLE("create-repeat", "create-concurrent-same-name"),
    CREATE_TAKES_WHAT_IS_ANOTHERS("create-name-in-use"),
    CREATE_FAILS_WITH_MODES("create-modes"),
    CREATE_TAKES_SHORT_NAMES_ONLY("create-longest-name"),
    CREATE_TAKES_NO_NAME("create-empty-name"),
    CREATE_TAKES_HOSTILE_NAMES("create-invalid-names"),
    CREATE_TAKES_NO_PROTOCOL("create-no-protocol"),
    CREATE_TAKES_OTHER_PROTOCOLS("create-other-protocol"),
    CREATE_TAKES_WRONG_CREDENTIALS("create-wrong-credentials"),
    CREATE_FAILS_THE_THIRD_TIME("create-concurrent-same-name"),
    CREATE_FAILS_BESIDE_ANOTHER("create-concurrent-names"),

    DELETE_DOES_NOTHING("delete-bucket", "delete-frees-name", "delete-concurrent"),
    DELETE_IS_NOT_REPEATABLE("delete-repeat", "delete-concurrent"),
    DELETE_FAILS_FOR_WHAT_NEVER_WAS("delete-missing"),
    DELETE_KEEPS_THE_NAME("delete-frees-name"),
    DELETE_TAKES_WHAT_IS_ANOTHERS("delete-not-owned"),
    DELETE_TAKES_NO_NAME("delete-empty-name"),
    DELETE_FAILS_WITH_HOSTILE_NAMES("delete-invalid-names"),
    DELETE_TAKES_OTHER_PROTOCOLS("delete-other-protocol"),
    DELETE_FAILS_THE_THIRD_TIME("delete-concurrent"),

    GRANT_ANSWERS_NOTHING(
            "grant-credentials",
            "grant-repeat",
            "grant-separate-credentials",
            "grant-rotate",
            "grant-no-administrator-secret",
            "grant-concurrent",
            "revoke-access",
            "revoke-repeat",
            "revoke-missing-bucket",
            "revoke-then-grant",
            "revoke-concurrent"),
    GRANT_IS_NOT_REPEATABLE("grant-repeat"),
    GRANT_SHARES_CREDENTIALS("grant-separate-credentials", "grant-rotate", "grant-concurrent", "revoke-then-grant"),
    GRANT_DOES_NOT_ROTATE("grant-rotate"),
    GRANT_HANDS_OUT_THE_ADMINISTRATORS("grant-no-administrator-secret"),
    GRANT_TAKES_WHAT_NEVER_WAS("grant-missing-bucket"),
    GRANT_TAKES_NO_NAME("grant-empty-name"),
    GRANT_TAKES_NO_ACCOUNT("grant-no-account"),
    GRANT_TAKES_HOSTILE_ACCOUNTS("grant-invalid-accounts"),
    GRANT_FAILS_WITH_SERVICE_ACCOUNTS("grant-service-account"),
    GRANT_TAKES_OTHER_PROTOCOLS("grant-other-protocol"),
    GRANT_SHARES_FROM_THE_THIRD_ON("grant-concurrent"),

    REVOKE_ANSWERS_CREDENTIALS("revoke-access"),
    REVOKE_IS_NOT_REPEATABLE("revoke-repeat", "revoke-concurrent"),
    REVOKE_FAILS_FOR_WHOM_NEVER_WAS("revoke-missing-account"),
    REVOKE_FAILS_FOR_DELETED_BUCKETS("revoke-missing-bucket"),
    REVOKE_IS_FOR_EVER("revoke-then-grant"),
    REVOKE_TAKES_NO_NAME("revoke-empty-name"),
    REVOKE_TAKES_NO_ACCOUNT("revoke-no-account"),
    REVOKE_TAKES_OTHER_PROTOCOLS("revoke-other-protocol"),
    REVOKE_FAILS_THE_THIRD_TIME("revoke-concurrent"),

    ERRORS_WITHOUT_NAMES("errors-names"),
    ERRORS_WITH_WRONG_CODES("errors-codes"),
    ERRORS_WITHOUT_MESSAGES("errors-messages"),
    ERRORS_THAT_QUOTE_SECRETS("errors-secrets"),

    // What granted credentials allow: tested with a store.
    CREDENTIALS_GRANTS_WHAT_OPENS_NOTHING(
            "credentials-granted",
            "credentials-one-bucket",
            "credentials-repeated-grant",
            "credentials-revoked",
            "credentials-read-only",
            "credentials-private-bucket",
            "credentials-public-bucket",
            "credentials-delete-nonempty-bucket"),
    CREDENTIALS_GRANTS_THE_ADMINISTRATORS_KEYS(
            "credentials-one-bucket", "credentials-repeated-grant", "credentials-revoked", "credentials-read-only"),
    CREDENTIALS_LETS_KEYS_PILE_UP("credentials-repeated-grant"),
    CREDENTIALS_REVOKES_NOTHING("credentials-revoked"),
    CREDENTIALS_IGNORES_THE_ACCESS_MODE("credentials-read-only"),
    CREDENTIALS_MAKES_EVERYTHING_PUBLIC(
            "credentials-private-bucket",
            "credentials-public-bucket",
            "credentials-one-bucket",
            "credentials-read-only"),
    CREDENTIALS_IGNORES_THE_ANONYMOUS_MODE("credentials-public-bucket"),
    CREDENTIALS_DELETES_NOTHING("credentials-delete-nonempty-bucket");

    private final String noticedBy;

    Fault(String... noticedBy) {
        this.noticedBy = String.join(" ", noticedBy);
    }

    Set<String> noticedBy() {
        return Set.of(noticedBy.split(" ", -1));
    }
}
