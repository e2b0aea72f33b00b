package io.bucketwright.cosi.sidecar;

/** What became of a call to a driver. */
sealed interface Answer<R> {

    /** The driver did it. */
    record Given<R>(R response) implements Answer<R> {}

    /** The driver says that it is so already. */
    record SoAlready<R>() implements Answer<R> {}

    /** The driver is at it. */
    record InProgress<R>() implements Answer<R> {}

    /** So many calls are under way that this one was not made. */
    record Busy<R>() implements Answer<R> {}

    /** It did not work. */
    record Refused<R>(Trouble trouble) implements Answer<R> {}
}
