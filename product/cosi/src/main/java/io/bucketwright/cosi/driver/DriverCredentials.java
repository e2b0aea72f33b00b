package io.bucketwright.cosi.driver;

import io.bucketwright.store.AdministratorSecret;

/** The administrator's credentials for requests without secrets. Read at each call, because they can change. */
@FunctionalInterface
public interface DriverCredentials {

    AdministratorSecret read();

    /** A driver that has none: each request must bring them. */
    static DriverCredentials none() {
        return AdministratorSecret::none;
    }
}
