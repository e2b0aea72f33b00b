package io.bucketwright.cosi.controller.requests;

import io.bucketwright.api.cosi.BucketClass;
import java.util.List;

/** The BucketClass of a request. */
public sealed interface BucketClassChoice {

    record Chosen(BucketClass bucketClass) implements BucketClassChoice {}

    /** The request names a class that does not exist. */
    record Missing(String name) implements BucketClassChoice {}

    /** The request names no class, and no class is the default for its protocol. */
    record NoDefault() implements BucketClassChoice {}

    /** The request names no class, and several classes are the default for its protocol. */
    record Ambiguous(List<String> names) implements BucketClassChoice {
        public Ambiguous {
            names = List.copyOf(names);
        }
    }
}
