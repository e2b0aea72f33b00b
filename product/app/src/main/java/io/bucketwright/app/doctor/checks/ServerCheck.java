package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.observation.ClusterObservation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the version of the API server is supported. */
record ServerCheck(ClusterObservation observed, Findings found) {
    private static final Pattern VERSION = Pattern.compile("v?1\\.(\\d{1,4})(\\D.*)?");

    /** See docs/support.md. */
    private static final int OLDEST = 28;

    private static final int OLDEST_WITH_POLICIES = 30;
    private static final int NEWEST_TESTED = 36;

    void examine() {
        FoundObject server = FoundObject.cluster("APIServer", observed.serverVersion());
        Matcher version = VERSION.matcher(observed.serverVersion());
        if (!version.matches()) {
            found.info(
                    "UnknownVersion",
                    server,
                    "The version of the API server is not of the form v1.x.y.",
                    "Compare it with docs/support.md.");
            return;
        }
        int minor = Integer.parseInt(version.group(1));
        if (minor < OLDEST) {
            found.error(
                    "UnsupportedVersion",
                    server,
                    "Bucketwright needs Kubernetes 1." + OLDEST + " or later.",
                    "Upgrade the cluster.");
        } else if (minor < OLDEST_WITH_POLICIES) {
            found.warning(
                    "NoAdmissionPolicies",
                    server,
                    "ValidatingAdmissionPolicy v1 needs Kubernetes 1." + OLDEST_WITH_POLICIES
                            + ": the pod-claims guard and the policy of COSI sidecars cannot be installed.",
                    "Upgrade the cluster.");
        } else if (minor > NEWEST_TESTED) {
            found.info("UntestedVersion", server, "The newest tested version is 1." + NEWEST_TESTED + ".", "");
        }
    }
}
