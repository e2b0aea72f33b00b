package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.app.doctor.observation.RoleWorkload;
import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.runtime.objects.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether every role that ran once, or that objects need, has a leader. */
final class LeaderCheck {

    private static final int SHOWN = 5;

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
                        observed.workloads().stream().flatMap(LeaderCheck::notReady),
                        ignored(observed),
                        otherVersions(observed),
                        severalProvisioners(observed),
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
        List<RoleLease> led = led(observed, LeaseRole.BUCKET_CLAIMS);
        Stream<Finding> twice = Stream.of(led, led(observed, LeaseRole.COSI))
                .flatMap(leases -> leases.stream()
                        .filter(lease -> !lease.isOfReferenceController())
                        .skip(1)
                        .map(second -> several(
                                second,
                                "Another COSI controller of Bucketwright leads in another namespace: both work on the same"
                                        + " objects.",
                                "Set cosi.enabled=false in all releases but one.")));
        Stream<Finding> reference = led.stream()
                .filter(RoleLease::isOfReferenceController)
                .filter(_ -> led.size() > 1)
                .map(other -> several(
                        other,
                        "The controller of the COSI reference implementation and that of Bucketwright both lead: they work"
                                + " on the same BucketClaims.",
                        "Stop one of them. See docs/coming-from-upstream-cosi.md."));
        return Stream.concat(twice, reference);
    }

    private static List<RoleLease> led(ClusterObservation observed, LeaseRole role) {
        return observed.leases().stream()
                .filter(lease -> lease.role() == role && observed.isLed(lease))
                .toList();
    }

    private static Finding several(RoleLease lease, String message, String action) {
        return Finding.error(CheckName.LEADERS, "SeveralControllers", FoundObject.of(lease.lease()), message, action);
    }

    /** Leases differ by provisioner and namespace, so two leaders are right unless they serve the same claims. */
    private static Stream<Finding> severalProvisioners(ClusterObservation observed) {
        List<RoleLease> led = led(observed, LeaseRole.BUCKETS);
        return led.stream()
                .flatMap(lease -> PublishedSettings.of(lease.lease())
                        .flatMap(settings -> led.subList(0, led.indexOf(lease)).stream()
                                .filter(other -> PublishedSettings.of(other.lease())
                                        .filter(settings::overlaps)
                                        .isPresent())
                                .findFirst()
                                .map(other -> several(
                                        lease,
                                        "It and Lease " + other.namespace() + "/" + other.name()
                                                + " both have a leader for the provisioner " + settings.provisioner()
                                                + ": two controllers work on the same claims.",
                                        "Give one of the releases another buckets.provisioner, or uninstall it.")))
                        .stream());
    }

    private static Stream<Finding> notReady(RoleWorkload workload) {
        if (workload.ready() >= workload.desired()) {
            return Stream.empty();
        }
        FoundObject object = FoundObject.of(workload.object());
        String message = workload.ready() + " of " + workload.desired() + " pods are ready.";
        String action = "kubectl -n " + object.namespace() + " describe pods -l " + workload.selector();
        return Stream.of(
                workload.ready() == 0
                        ? Finding.error(CheckName.LEADERS, "NoPodReady", object, message, action)
                        : Finding.warning(CheckName.LEADERS, "PodsNotReady", object, message, action));
    }

    /** One finding for all: a tenant can create many. */
    private static Stream<Finding> ignored(ClusterObservation observed) {
        List<String> namespaces =
                observed.provisioners().ignored().stream().sorted().toList();
        return namespaces.isEmpty()
                ? Stream.empty()
                : Stream.of(Finding.info(
                        CheckName.LEADERS,
                        "SettingsIgnored",
                        FoundObject.cluster("Namespace", namespaces.getFirst()),
                        "A Lease or Deployment describes a controller of ObjectBucketClaims, but no service account there"
                                + " is known to have the permissions of one. It is not used: tenants may have created it. "
                                + namespaces.stream().limit(SHOWN).collect(Collectors.joining(", ", "Namespaces: ", ""))
                                + (namespaces.size() > SHOWN ? " and " + (namespaces.size() - SHOWN) + " more." : "."),
                        "If your controllers run there: --controller-namespace " + namespaces.getFirst()));
    }

    /** A leader that an upgrade has not replaced: the chart and what runs are of different versions. */
    private static Stream<Finding> otherVersions(ClusterObservation observed) {
        return observed.leases().stream()
                .filter(observed::isLed)
                .flatMap(lease -> observed.workloads().stream()
                        .filter(workload -> workload.runs(lease))
                        .filter(workload -> !workload.version().isEmpty()
                                && !PublishedSettings.version(lease.lease()).isEmpty()
                                && !workload.version().equals(PublishedSettings.version(lease.lease())))
                        .findFirst()
                        .map(workload -> otherVersion(lease, workload))
                        .stream());
    }

    private static Finding otherVersion(RoleLease lease, RoleWorkload workload) {
        FoundObject object = FoundObject.of(workload.object());
        return Finding.warning(
                CheckName.LEADERS,
                "VersionDiffers",
                object,
                "The leader " + lease.holder() + " of the role " + lease.role() + " has version "
                        + PublishedSettings.version(lease.lease()) + ", and the chart version " + workload.version()
                        + ".",
                "If an upgrade is not over: kubectl -n " + object.namespace() + " rollout status "
                        + object.kind().toLowerCase(Locale.ROOT) + " " + object.name()
                        + ". Otherwise set image.tag to the version of the chart.");
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

    /** The role, with what its last leader said about itself. */
    private static String role(RoleLease lease) {
        String serves = PublishedSettings.serves(lease.lease());
        String release = PublishedSettings.release(lease.lease());
        return "The role " + lease.role() + (serves.isEmpty() ? "" : " for " + serves)
                + (release.isEmpty() ? "" : " of release " + release) + " has no leader: ";
    }

    private static Finding released(RoleLease lease) {
        return Finding.error(
                CheckName.LEADERS,
                "NoLeader",
                FoundObject.of(lease.lease()),
                role(lease) + "its last leader has stopped and released the Lease.",
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
                role(lease) + lease.holder() + " renewed the Lease last" + since + ".",
                action(lease));
    }

    private static String action(RoleLease lease) {
        return "Start the controller: kubectl -n " + lease.namespace()
                + " get pods. If the role was removed on purpose:" + " kubectl -n " + lease.namespace()
                + " delete lease " + lease.name();
    }
}
