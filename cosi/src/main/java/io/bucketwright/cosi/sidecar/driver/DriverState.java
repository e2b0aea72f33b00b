package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.cosi.proto.DataProtocol;

/** The state of the driver as the sidecar sees it. */
public sealed interface DriverState {

    /** The sidecar has started, and its first attempt to reach the driver has not ended. */
    record Connecting() implements DriverState {}

    /** The driver is connected, and it is the one that this sidecar serves. */
    record Ready(DataProtocol protocol) implements DriverState {}

    /** The driver cannot be reached or does not answer. */
    record Unavailable(String message) implements DriverState {}

    /** The driver answers, but it has another name or no known protocol. */
    record Incompatible(String message) implements DriverState {}
}
