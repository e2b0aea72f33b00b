package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.app.doctor.observation.RoleWorkload;
import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.runtime.objects.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Whether every role that ran once, or that objects need, has a leader. */
record LeaderCheck(ClusterObservation observed, Findings found) {
    private static final int SHOWN = 5;

    void examine() {
        observed.leases().stream().filter(lease -> !isReplaced(lease)).forEach(this::requireLeader);
        observed.workloads().stream()
                .filter(workload -> workload.ready() < workload.desired())
                .forEach(this::notReady);
        ignored();
        observed.leases().stream().filter(observed::isLed).forEach(this::sameVersion);
        severalProvisioners();
        severalControllers();
        missing(LeaseRole.BUCKETS, needsBuckets(), "ObjectBucketClaims");
        missing(LeaseRole.BUCKET_CLAIMS, needsReleased(), "BucketClaims");
        missing(LeaseRole.COSI, needsCosi(), "BucketRequests");
    }

    /** Either controller of BucketClaims can replace the other, and the former one leaves its Lease behind. */
    private boolean isReplaced(RoleLease lease) {
        return lease.role() == LeaseRole.BUCKET_CLAIMS && observed.isLed(LeaseRole.BUCKET_CLAIMS);
    }

    private void requireLeader(RoleLease lease) {
        switch (lease.state(observed.now())) {
            case LEADING -> {}
            case RELEASED -> noLeader("NoLeader", lease, "its last leader has stopped and released the Lease.");
            case EXPIRED -> {
                String since = lease.renewTime()
                        .map(time -> Duration.between(time, observed.now()))
                        .map(age -> ", " + DurationText.of(Duration.ofSeconds(age.toSeconds())) + " ago")
                        .orElse("");
                noLeader("LeaseExpired", lease, lease.holder() + " renewed the Lease last" + since + ".");
            }
        }
    }

    private void severalControllers() {
        List<RoleLease> led = led(LeaseRole.BUCKET_CLAIMS);
        for (List<RoleLease> leases : List.of(led, led(LeaseRole.COSI))) {
            leases.stream()
                    .filter(lease -> !lease.isOfReferenceController())
                    .skip(1)
                    .forEach(second -> several(
                            second,
                            "Another COSI controller of Bucketwright leads in another namespace: both work on the same"
                                    + " objects.",
                            "Set cosi.enabled=false in all releases but one."));
        }
        if (led.size() > 1) {
            led.stream()
                    .filter(RoleLease::isOfReferenceController)
                    .forEach(other -> several(
                            other,
                            "The controller of the COSI reference implementation and that of Bucketwright both lead: they work"
                                    + " on the same BucketClaims.",
                            "Stop one of them. See docs/coming-from-upstream-cosi.md."));
        }
    }

    private List<RoleLease> led(LeaseRole role) {
        return observed.leases().stream()
                .filter(lease -> lease.role() == role && observed.isLed(lease))
                .toList();
    }

    private void several(RoleLease lease, String message, String action) {
        found.error("SeveralControllers", FoundObject.of(lease.lease()), message, action);
    }

    /** Leases differ by provisioner and namespace, so two leaders are right unless they serve the same claims. */
    private void severalProvisioners() {
        List<RoleLease> led = led(LeaseRole.BUCKETS);
        for (RoleLease lease : led) {
            PublishedSettings.of(lease.lease())
                    .ifPresent(settings -> led.subList(0, led.indexOf(lease)).stream()
                            .filter(other -> PublishedSettings.of(other.lease())
                                    .filter(settings::overlaps)
                                    .isPresent())
                            .findFirst()
                            .ifPresent(other -> several(
                                    lease,
                                    "It and Lease " + other.namespace() + "/" + other.name()
                                            + " both have a leader for the provisioner " + settings.provisioner()
                                            + ": two controllers work on the same claims.",
                                    "Give one of the releases another buckets.provisioner, or uninstall it.")));
        }
    }

    private void notReady(RoleWorkload workload) {
        FoundObject object = FoundObject.of(workload.object());
        String message = workload.ready() + " of " + workload.desired() + " pods are ready.";
        String action = "kubectl -n " + object.namespace() + " describe pods -l " + workload.selector();
        if (workload.ready() == 0) {
            found.error("NoPodReady", object, message, action);
        } else {
            found.warning("PodsNotReady", object, message, action);
        }
    }

    /** One finding for all: a tenant can create many. */
    private void ignored() {
        List<String> namespaces =
                observed.provisioners().ignored().stream().sorted().toList();
        if (!namespaces.isEmpty()) {
            found.info(
                    "SettingsIgnored",
                    FoundObject.cluster("Namespace", namespaces.getFirst()),
                    "A Lease or Deployment describes a controller of ObjectBucketClaims, but no service account there"
                            + " is known to have the permissions of one. It is not used: tenants may have created it."
                            + " Namespaces: " + Findings.firstOf(namespaces, SHOWN),
                    "If your controllers run there: --controller-namespace " + namespaces.getFirst());
        }
    }

    /** A leader that an upgrade has not replaced: the chart and what runs are of different versions. */
    private void sameVersion(RoleLease lease) {
        String version = PublishedSettings.version(lease.lease());
        observed.workloads().stream()
                .filter(workload -> workload.runs(lease) && !version.isEmpty())
                .filter(workload ->
                        !workload.version().isEmpty() && !workload.version().equals(version))
                .findFirst()
                .ifPresent(workload -> otherVersion(lease, version, workload));
    }

    private void otherVersion(RoleLease lease, String version, RoleWorkload workload) {
        FoundObject object = FoundObject.of(workload.object());
        found.warning(
                "VersionDiffers",
                object,
                "The leader " + lease.holder() + " of the role " + lease.role() + " has version " + version
                        + ", and the chart version " + workload.version() + ".",
                "If an upgrade is not over: kubectl -n " + object.namespace() + " rollout status "
                        + object.kind().toLowerCase(Locale.ROOT) + " " + object.name()
                        + ". Otherwise set image.tag to the version of the chart.");
    }

    private boolean needsReleased() {
        return !observed.all(BucketClaim.class).items().isEmpty()
                || !observed.all(ReleasedBucketClass.class).items().isEmpty();
    }

    private boolean needsBuckets() {
        return !observed.classes().isEmpty()
                || observed.all(ObjectBucket.class).stream()
                        .anyMatch(bucket -> bucket.getSpec().recordedIntent().isPresent());
    }

    private boolean needsCosi() {
        return !observed.all(BucketRequest.class).items().isEmpty()
                || !observed.all(BucketClass.class).items().isEmpty();
    }

    private void missing(LeaseRole role, boolean needed, String objects) {
        if (needed && observed.leases().lacks(lease -> lease.role() == role)) {
            found.error(
                    "NoLease",
                    new FoundObject("Lease", observed.scope().controllerNamespace(), role.lease()),
                    "The role " + role + " reconciles " + objects
                            + ", but its Lease does not exist: the controller does"
                            + " not run, or runs without leader election or with another Lease.",
                    "kubectl get pods -A -l app.kubernetes.io/name=bucketwright" + flag(role));
        }
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

    /** With what its last leader said about itself. */
    private void noLeader(String reason, RoleLease lease, String why) {
        String serves = PublishedSettings.serves(lease.lease());
        String release = PublishedSettings.release(lease.lease());
        found.error(
                reason,
                FoundObject.of(lease.lease()),
                "The role " + lease.role() + (serves.isEmpty() ? "" : " for " + serves)
                        + (release.isEmpty() ? "" : " of release " + release) + " has no leader: " + why,
                "Start the controller: kubectl -n " + lease.namespace()
                        + " get pods. If the role was removed on purpose: kubectl -n " + lease.namespace()
                        + " delete lease " + lease.name());
    }
}
