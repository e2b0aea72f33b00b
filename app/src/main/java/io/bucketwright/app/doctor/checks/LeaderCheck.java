package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.runtime.objects.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Whether every role that ran once, or that objects need, has a leader. */
final class LeaderCheck {

    private LeaderCheck() {}

    static Stream<Finding> examine(ClusterObservation observed) {
        Stream<Finding> withoutLeader = observed.leases().stream()
                .filter(lease -> !isReplaced(observed, lease))
                .flatMap(lease -> switch (lease.state(observed.now())) {
                    case LEADING -> Stream.empty();
                    case RELEASED -> Stream.of(released(lease));
                    case EXPIRED -> Stream.of(expired(lease, observed.now()));
                });
        return Stream.of(
                        withoutLeader,
                        severalControllers(observed),
                        missing(observed, LeaseRole.BUCKETS, needsBuckets(observed), "ObjectBucketClaims"),
                        missing(observed, LeaseRole.BUCKET_CLAIMS, needsReleased(observed), "BucketClaims"),
                        missing(observed, LeaseRole.COSI, needsCosi(observed), "BucketRequests"))
                .flatMap(findings -> findings);
    }

    /** Either controller of BucketClaims can replace the other, and the former one leaves its Lease behind. */
    private static boolean isReplaced(ClusterObservation observed, RoleLease lease) {
        return lease.role() == LeaseRole.BUCKET_CLAIMS && observed.isLed(LeaseRole.BUCKET_CLAIMS);
    }

    private static Stream<Finding> severalControllers(ClusterObservation observed) {
        List<RoleLease> led = observed.leases().stream()
                .filter(lease -> lease.role() == LeaseRole.BUCKET_CLAIMS && observed.isLed(lease))
                .toList();
        return led.stream()
                .filter(RoleLease::isOfReferenceController)
                .filter(reference -> led.size() > 1)
                .map(reference -> Finding.error(
                        CheckName.LEADERS,
                        "SeveralControllers",
                        FoundObject.of(reference.lease()),
                        "The controller of the COSI reference implementation and that of Bucketwright both lead: they work"
                                + " on the same BucketClaims.",
                        "Stop one of them. See docs/coming-from-upstream-cosi.md."));
    }

    private static boolean needsReleased(ClusterObservation observed) {
        return observed.released().claims().stream().findAny().isPresent()
                || observed.released().classes().stream().findAny().isPresent();
    }

    private static boolean needsBuckets(ClusterObservation observed) {
        return !observed.classes().isEmpty()
                || observed.objectBuckets().stream()
                        .anyMatch(bucket -> bucket.getSpec().recordedIntent().isPresent());
    }

    private static boolean needsCosi(ClusterObservation observed) {
        return observed.cosi().requests().stream().findAny().isPresent()
                || observed.cosi().classes().stream().findAny().isPresent();
    }

    private static Stream<Finding> missing(
            ClusterObservation observed, LeaseRole role, boolean needed, String objects) {
        if (!needed || !observed.leases().lacks(lease -> lease.role() == role)) {
            return Stream.empty();
        }
        return Stream.of(Finding.error(
                CheckName.LEADERS,
                "NoLease",
                new FoundObject("Lease", observed.scope().controllerNamespace(), role.lease()),
                "The role " + role + " reconciles " + objects + ", but its Lease does not exist: the controller does"
                        + " not run, or runs without leader election or with another Lease.",
                "kubectl get pods -A -l app.kubernetes.io/name=bucketwright" + flag(role)));
    }

    /** Which setting selects the API that the COSI controller serves. */
    private static String flag(LeaseRole role) {
        return switch (role) {
            case COSI -> ". The COSI controller serves cosi.io with --cosi-api cosi.io or all; in the chart, cosi.api.";
            case BUCKET_CLAIMS ->
                ". The COSI controller serves them unless --cosi-api, or in the chart cosi.api, is cosi.io.";
            default -> "";
        };
    }

    private static Finding released(RoleLease lease) {
        return Finding.error(
                CheckName.LEADERS,
                "NoLeader",
                FoundObject.of(lease.lease()),
                "The role " + lease.role() + " has no leader: its last leader has stopped and released the Lease.",
                action(lease));
    }

    private static Finding expired(RoleLease lease, Instant now) {
        String since = lease.renewTime()
                .map(time -> ", "
                        + DurationText.of(
                                Duration.ofSeconds(Duration.between(time, now).toSeconds())) + " ago")
                .orElse("");
        return Finding.error(
                CheckName.LEADERS,
                "LeaseExpired",
                FoundObject.of(lease.lease()),
                "The role " + lease.role() + " has no leader: " + lease.holder() + " renewed the Lease last" + since
                        + ".",
                action(lease));
    }

    private static String action(RoleLease lease) {
        return "Start the controller: kubectl -n " + lease.namespace()
                + " get pods. If the role was removed on purpose:" + " kubectl -n " + lease.namespace()
                + " delete lease " + lease.name();
    }
}
