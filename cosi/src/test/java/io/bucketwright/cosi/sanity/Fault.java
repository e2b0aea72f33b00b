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
    CREATE_IS_NOT_REPEATABLE("create-repeat", "create-at-once-one"),
    CREATE_TAKES_WHAT_IS_ANOTHERS("create-foreign"),
    CREATE_FAILS_WITH_MODES("create-modes"),
    CREATE_TAKES_SHORT_NAMES_ONLY("create-longest-name"),
    CREATE_TAKES_NO_NAME("create-empty-name"),
    CREATE_TAKES_HOSTILE_NAMES("create-hostile-names"),
    CREATE_TAKES_NO_PROTOCOL("create-no-protocol"),
    CREATE_TAKES_OTHER_PROTOCOLS("create-other-protocol"),
    CREATE_TAKES_WRONG_CREDENTIALS("create-wrong-credentials"),
    CREATE_FAILS_THE_THIRD_TIME("create-at-once-one"),
    CREATE_FAILS_BESIDE_ANOTHER("create-at-once-many"),

    DELETE_DOES_NOTHING("delete-gone", "delete-again", "delete-at-once"),
    DELETE_IS_NOT_REPEATABLE("delete-repeat", "delete-at-once"),
    DELETE_FAILS_FOR_WHAT_NEVER_WAS("delete-missing"),
    DELETE_KEEPS_THE_NAME("delete-again"),
    DELETE_TAKES_WHAT_IS_ANOTHERS("delete-foreign"),
    DELETE_TAKES_NO_NAME("delete-empty-name"),
    DELETE_FAILS_WITH_HOSTILE_NAMES("delete-hostile-names"),
    DELETE_TAKES_OTHER_PROTOCOLS("delete-other-protocol"),
    DELETE_FAILS_THE_THIRD_TIME("delete-at-once"),

    GRANT_ANSWERS_NOTHING(
            "grant-credentials",
            "grant-repeat",
            "grant-apart",
            "grant-rotate",
            "grant-not-administrators",
            "grant-at-once",
            "revoke-access",
            "revoke-repeat",
            "revoke-missing-bucket",
            "revoke-again",
            "revoke-at-once"),
    GRANT_IS_NOT_REPEATABLE("grant-repeat"),
    GRANT_SHARES_CREDENTIALS("grant-apart", "grant-rotate", "grant-at-once", "revoke-again"),
    GRANT_DOES_NOT_ROTATE("grant-rotate"),
    GRANT_HANDS_OUT_THE_ADMINISTRATORS("grant-not-administrators"),
    GRANT_TAKES_WHAT_NEVER_WAS("grant-missing-bucket"),
    GRANT_TAKES_NO_NAME("grant-empty-name"),
    GRANT_TAKES_NO_ACCOUNT("grant-no-account"),
    GRANT_TAKES_HOSTILE_ACCOUNTS("grant-hostile-accounts"),
    GRANT_FAILS_WITH_SERVICE_ACCOUNTS("grant-service-account"),
    GRANT_TAKES_OTHER_PROTOCOLS("grant-other-protocol"),
    GRANT_SHARES_FROM_THE_THIRD_ON("grant-at-once"),

    REVOKE_ANSWERS_CREDENTIALS("revoke-access"),
    REVOKE_IS_NOT_REPEATABLE("revoke-repeat", "revoke-at-once"),
    REVOKE_FAILS_FOR_WHOM_NEVER_WAS("revoke-missing-account"),
    REVOKE_FAILS_FOR_DELETED_BUCKETS("revoke-missing-bucket"),
    REVOKE_IS_FOR_EVER("revoke-again"),
    REVOKE_TAKES_NO_NAME("revoke-empty-name"),
    REVOKE_TAKES_NO_ACCOUNT("revoke-no-account"),
    REVOKE_TAKES_OTHER_PROTOCOLS("revoke-other-protocol"),
    REVOKE_FAILS_THE_THIRD_TIME("revoke-at-once"),

    ERRORS_WITHOUT_NAMES("errors-names"),
    ERRORS_WITH_WRONG_CODES("errors-codes"),
    ERRORS_WITHOUT_MESSAGES("errors-messages"),
    ERRORS_THAT_QUOTE_SECRETS("errors-secrets");

    private final String noticedBy;

    Fault(String... noticedBy) {
        this.noticedBy = String.join(" ", noticedBy);
    }

    Set<String> noticedBy() {
        return Set.of(noticedBy.split(" ", -1));
    }
}
