package io.bucketwright.cosi.driver;

import io.bucketwright.store.AdministratorSecret;

/** The administrator's credentials that a driver uses when a request brings none. Asked at each call: they may change. */
@FunctionalInterface
public interface DriverCredentials {

    AdministratorSecret read();

    /** A driver that has none: each request must bring them. */
    static DriverCredentials none() {
        return AdministratorSecret::none;
    }
}
