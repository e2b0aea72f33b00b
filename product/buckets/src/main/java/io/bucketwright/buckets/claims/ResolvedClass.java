package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.classes.BucketClass;

/** The class of a claim, as far as this provisioner is concerned. */
sealed interface ResolvedClass {

    /** A class of this provisioner. */
    record Usable(BucketClass bucketClass) implements ResolvedClass {}

    /** A class of this provisioner with invalid parameters. */
    record Unusable(String name, String message) implements ResolvedClass {}

    /** A class of another provisioner, or no class and no default: another controller may own the claim's status. */
    record NotServed() implements ResolvedClass {}

    /** No class of that name exists, so its provisioner is unknown. */
    record Missing(String name) implements ResolvedClass {}

    /** The claim names no class, and several classes of this provisioner are marked as the default. */
    record SeveralDefaults(String names) implements ResolvedClass {}
}
