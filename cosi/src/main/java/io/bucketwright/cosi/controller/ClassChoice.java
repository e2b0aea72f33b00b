package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketClass;
import java.util.List;

/** Which BucketClass a request is to be served by. */
sealed interface ClassChoice {

    record Chosen(BucketClass bucketClass) implements ClassChoice {}

    /** There is no class of that name now. */
    record Missing(String name) implements ClassChoice {}

    /** The request names none, and none is the default for its protocol. */
    record NoDefault() implements ClassChoice {}

    /** The request names none, and several say that they are the default for its protocol. */
    record Ambiguous(List<String> names) implements ClassChoice {
        public Ambiguous {
            names = List.copyOf(names);
        }
    }
}
