package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.classes.BucketClass;

/** What a claim's class is, as far as this provisioner is concerned. */
sealed interface ClassView {

    /** A class of this provisioner. */
    record Ours(BucketClass bucketClass) implements ClassView {}

    /** A class of this provisioner that cannot be used. */
    record Unusable(String name, String message) implements ClassView {}

    /** A class of somebody else, or none that we should care for: not ours to say a word about. */
    record Foreign() implements ClassView {}

    /** There is no class of that name now. Whose it will be, nobody knows. */
    record Missing(String name) implements ClassView {}

    /** The claim names no class, and several of ours say they are the default. */
    record TwoDefaults(String names) implements ClassView {}
}
