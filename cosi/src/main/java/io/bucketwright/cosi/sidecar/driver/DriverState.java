package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.cosi.proto.DataProtocol;

/** What is known about the driver. */
public sealed interface DriverState {

    /** It is there, and it is the one that this sidecar was made for. */
    record Fit(DataProtocol protocol) implements DriverState {}

    /** It cannot be reached, or does not answer. */
    record Away(String why) implements DriverState {}

    /** It answers, but it is another driver, or says nothing sensible of itself. */
    record Unfit(String why) implements DriverState {}
}
