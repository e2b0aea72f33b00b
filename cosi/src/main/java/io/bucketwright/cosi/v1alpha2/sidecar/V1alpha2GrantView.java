package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.IssuedAccess;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.runtime.controller.FailedAttempt;
import java.time.Instant;
import java.util.Optional;

/** A BucketAccess that was handed over to this driver, and what this process knows about it. */
record V1alpha2GrantView(
        V1alpha2Access access,
        DriverPreconditions preconditions,
        GrantProgress progress,
        Optional<FailedAttempt> failure,
        Instant now) {

    /** Which Secrets exist. */
    enum Secrets {
        UNKNOWN,
        /** All of them belong to the access. */
        RESERVED,
        /** They contain the credentials. */
        FILLED,
        /** None belongs to the access. */
        MISSING
    }

    /**
     * What only this process knows.
     *
     * @param issued the driver's answer
     * @param revoked whether the driver has revoked the access
     */
    record GrantProgress(Secrets secrets, Optional<IssuedAccess> issued, boolean revoked) {
        static GrantProgress none() {
            return new GrantProgress(Secrets.UNKNOWN, Optional.empty(), false);
        }

        GrantProgress withSecrets(Secrets value) {
            return new GrantProgress(value, issued, revoked);
        }

        GrantProgress withIssued(IssuedAccess value) {
            return new GrantProgress(secrets, Optional.of(value), false);
        }

        GrantProgress afterRevoke() {
            return new GrantProgress(secrets, Optional.empty(), true);
        }

        /** Without the credentials. */
        @Override
        public String toString() {
            return "GrantProgress, secrets: " + secrets + ", issued: " + issued.isPresent() + ", revoked: " + revoked;
        }
    }
}
