package io.bucketwright.cosi.sidecar.driver;


/** What became of a call to a driver. */
public sealed interface DriverAnswer<R> {

    /** The driver did it. */
    record Given<R>(R response) implements DriverAnswer<R> {}

    /** The driver says that it is so already. */
    record SoAlready<R>() implements DriverAnswer<R> {}

    /** The driver is at it. */
    record InProgress<R>() implements DriverAnswer<R> {}

    /** So many calls are under way that this one was not made. */
    record Busy<R>() implements DriverAnswer<R> {}

    /** It did not work. */
    record Refused<R>(Trouble trouble) implements DriverAnswer<R> {}
}
