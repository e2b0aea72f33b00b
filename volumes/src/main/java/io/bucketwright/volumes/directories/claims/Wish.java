package io.bucketwright.volumes.directories.claims;

/** What comes of reading a claim. */
sealed interface Wish {

    /** It can be done. */
    record Granted(Plan plan) implements Wish {}

    /** It cannot, until the claim or its class is another. */
    record Refused(String message) implements Wish {}
}
