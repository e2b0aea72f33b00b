package io.bucketwright.app.doctor.observation;

import java.util.List;

/**
 * Which of the permissions that a role needs its service account does not have.
 *
 * @param problem why the API server did not answer; empty if it did
 */
public record AccountAccess(
        LeaseRole role, String namespace, String account, List<Permission> missing, String problem) {

    public AccountAccess {
        missing = List.copyOf(missing);
    }
}
