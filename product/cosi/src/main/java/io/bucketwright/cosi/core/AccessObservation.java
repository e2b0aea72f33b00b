package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.store.grants.Grantee;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Everything known about one grantee. */
public record AccessObservation(
        Grantee grantee,
        AccessFacts facts,
        DriverPreconditions preconditions,
        AccessState inFlight,
        Optional<FailedAttempt> failure,
        Settings settings,
        Clock clock) {

    /**
     * How the driver is treated.
     *
     * @param patience how long an error that may mean that something does not exist must last before it counts as that
     * @param namesAreIds whether all ids that the driver has issued are the names it was asked for: then a revocation by the
     *     name proves that the account does not exist
     */
    public record Settings(Duration patience, boolean namesAreIds) {}

    /**
     * The time.
     *
     * @param now to compare with timestamps of objects
     * @param moment for delays
     */
    public record Clock(Instant now, Moment moment) {}

    Instant now() {
        return clock.now();
    }
}
