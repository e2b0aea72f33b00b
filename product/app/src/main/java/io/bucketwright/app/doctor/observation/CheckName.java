package io.bucketwright.app.doctor.observation;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A check, in the order of the output. */
public enum CheckName {
    /** The version of the API server. */
    SERVER,
    /** The CustomResourceDefinitions. */
    CRDS,
    /** The Leases of the roles. */
    LEADERS,
    /** The permissions of the service accounts. */
    PERMISSIONS,
    /** The classes: their parameters, and who serves them. */
    CLASSES,
    /** The object stores of the classes. */
    STORES,
    /** Claims and requests that are not ready. */
    CLAIMS,
    /** Objects whose claim or request no longer exists. */
    ORPHANS,
    /** Deletions that do not end. */
    FINALIZERS;

    /** The name on the command line and in the output. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
