package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.observation.AccountAccess;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.Permission;

/** Whether the service account of each role has the permissions that the role needs. */
record PermissionCheck(ClusterObservation observed, Findings found) {
    private static final int SHOWN = 8;

    void examine() {
        observed.access().forEach(this::examine);
    }

    private void examine(AccountAccess access) {
        FoundObject account = new FoundObject("ServiceAccount", access.namespace(), access.account());
        if (!access.problem().isEmpty()) {
            found.info(
                    Finding.NOT_CHECKED,
                    account,
                    "You may not ask what this service account is allowed to do: " + access.problem(),
                    "Run this command as a user who may create subjectaccessreviews.");
        } else if (!access.missing().isEmpty()) {
            found.error(
                    "PermissionMissing",
                    account,
                    "The role " + access.role() + " needs permissions that this service account does not have: "
                            + Findings.firstOf(
                                    access.missing().stream()
                                            .map(Permission::toString)
                                            .toList(),
                                    SHOWN),
                    "helm upgrade, or kubectl apply -f deploy/" + access.role().manifest());
        }
    }
}
