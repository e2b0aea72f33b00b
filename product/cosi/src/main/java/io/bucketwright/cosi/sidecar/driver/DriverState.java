package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Protocol;
import java.util.Set;

/** The state of the driver as the sidecar sees it. */
public sealed interface DriverState {

    /** The sidecar has started, and its first attempt to reach the driver has not ended. */
    record Connecting() implements DriverState {}

    /**
     * The driver is connected, and it is the one that this sidecar serves.
     *
     * @param dialect the gRPC package that it serves
     * @param issuesIds whether it issues ids for accounts, so that a name may not find an account
     */
    record Ready(String dialect, boolean issuesIds, Set<Protocol> protocols) implements DriverState {}

    /** The driver cannot be reached or does not answer. */
    record Unavailable(String message) implements DriverState {}

    /** The driver answers, but it has another name, no known protocol or no known dialect. */
    record Incompatible(String message) implements DriverState {}
}
