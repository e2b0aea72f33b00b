package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.AccountAccess;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.Permission;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the service account of each role has the permissions that the role needs. */
final class PermissionCheck {

    private static final int SHOWN = 8;

    private PermissionCheck() {}

    static Stream<Finding> examine(ClusterObservation observed) {
        return observed.access().stream().flatMap(PermissionCheck::examine);
    }

    private static Stream<Finding> examine(AccountAccess access) {
        FoundObject account = new FoundObject("ServiceAccount", access.namespace(), access.account());
        if (!access.problem().isEmpty()) {
            return Stream.of(Finding.info(
                    CheckName.PERMISSIONS,
                    Finding.NOT_CHECKED,
                    account,
                    "You may not ask what this service account is allowed to do: " + access.problem(),
                    "Run this command as a user who may create subjectaccessreviews."));
        }
        if (access.missing().isEmpty()) {
            return Stream.empty();
        }
        int more = access.missing().size() - SHOWN;
        return Stream.of(Finding.error(
                CheckName.PERMISSIONS,
                "PermissionMissing",
                account,
                "The role " + access.role() + " needs permissions that this service account does not have: "
                        + access.missing().stream()
                                .limit(SHOWN)
                                .map(Permission::toString)
                                .collect(Collectors.joining(", "))
                        + (more > 0 ? " and " + more + " more." : "."),
                "helm upgrade, or kubectl apply -f deploy/" + access.role().manifest()));
    }
}
