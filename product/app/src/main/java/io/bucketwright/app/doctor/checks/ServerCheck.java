package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether the version of the API server is supported. */
final class ServerCheck {

    private static final Pattern VERSION = Pattern.compile("v?1\\.(\\d{1,4})(\\D.*)?");

    /** See docs/support.md. */
    private static final int OLDEST = 28;

    private static final int OLDEST_WITH_POLICIES = 30;
    private static final int NEWEST_TESTED = 36;

    private ServerCheck() {}

    static Stream<Finding> examine(ClusterObservation observed) {
        FoundObject server = FoundObject.cluster("APIServer", observed.serverVersion());
        Matcher version = VERSION.matcher(observed.serverVersion());
        if (!version.matches()) {
            return Stream.of(Finding.info(
                    CheckName.SERVER,
                    "UnknownVersion",
                    server,
                    "The version of the API server is not of the form v1.x.y.",
                    "Compare it with docs/support.md."));
        }
        int minor = Integer.parseInt(version.group(1));
        if (minor < OLDEST) {
            return Stream.of(Finding.error(
                    CheckName.SERVER,
                    "UnsupportedVersion",
                    server,
                    "Bucketwright needs Kubernetes 1." + OLDEST + " or later.",
                    "Upgrade the cluster."));
        }
        if (minor < OLDEST_WITH_POLICIES) {
            return Stream.of(Finding.warning(
                    CheckName.SERVER,
                    "NoAdmissionPolicies",
                    server,
                    "ValidatingAdmissionPolicy v1 needs Kubernetes 1." + OLDEST_WITH_POLICIES
                            + ": the pod-claims guard and the policy of COSI sidecars cannot be installed.",
                    "Upgrade the cluster."));
        }
        return minor > NEWEST_TESTED
                ? Stream.of(Finding.info(
                        CheckName.SERVER,
                        "UntestedVersion",
                        server,
                        "The newest tested version is 1." + NEWEST_TESTED + ".",
                        ""))
                : Stream.empty();
    }
}
