package io.bucketwright.cosi.sanity;

/** What a check needs of the dialect that the driver speaks, or of the options of the run. */
enum CheckNeed {
    /** The rule is about the protocol of the design of 2020. */
    COSI_V1("the protocol cosi.v1"),
    /** The rule is about the released protocol. */
    RELEASED("the protocol cosi.v1alpha1"),
    /** Requests name the owner of a bucket, so that the driver can tell another's bucket from its own. */
    OWNERS("requests that name the owner"),
    /** The driver reports its protocol, and requests name the one they expect. */
    PROTOCOLS("requests that name the protocol of the store"),
    ANONYMOUS_ACCESS("requests for anonymous access"),
    REQUEST_SECRETS("requests with credentials"),
    /** The name in the request is the id: a bucket that never existed can be named, and names have rules. */
    NAMES_AS_IDS("names instead of ids that the driver issues"),
    ERROR_NAMES("errors with names"),
    ROTATION("requests for new keys"),
    /** The protocol defines what becomes of earlier keys, of objects in a deleted bucket, and of {@code accessMode}. */
    DEFINED_EFFECTS("a protocol that defines this effect"),
    STORE_ACCESS("the option --test-credentials"),
    ADMINISTRATOR_SECRET("the option --secret-file");

    private final String text;

    CheckNeed(String text) {
        this.text = text;
    }

    /** What is needed, as the rest of a sentence. */
    public String text() {
        return text;
    }
}
