package io.bucketwright.app.doctor.observation;

import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.observation.TrustedNamespaces.Trust;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Reads a cluster. All requests are reads, except access reviews, which store nothing. */
public record ClusterObserver(KubernetesClient client, DoctorScope scope) {

    /** Renewals are at most a third of a lease apart, so that a second attempt fits. */
    private static final int RENEWALS_PER_LEASE = 3;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    public ClusterObservation observe() throws InterruptedException {
        String version = client.getKubernetesVersion().getGitVersion();
        Listing<RoleLease> all = leases();
        // Before the stores are asked: that takes seconds for each one that does not respond.
        Instant now = Instant.now();
        ListedObjects objects = ListedObjects.read(kind -> kind == Event.class ? events() : list(kind));
        Listing<RoleWorkload> workloads = workloads();
        AccessReviews reviews = new AccessReviews(client, scope);
        TrustedNamespaces namespaces = new TrustedNamespaces(reviews, scope, all, workloads);
        ServedProvisioners provisioners = ServedProvisioners.of(
                all, workloads, namespace -> namespaces.of(namespace) == Trust.TRUSTED, now, scope);
        // One that nobody but a tenant wrote must not pass for a leader either.
        Listing<RoleLease> leases = all.without(
                lease -> lease.role() == LeaseRole.BUCKETS && namespaces.of(lease.namespace()) == Trust.UNTRUSTED);
        try (StoreProbe probe = new StoreProbe(client, provisioners)) {
            List<ParsedClass> classes = objects.of(StorageClass.class).stream()
                    .filter(found -> provisioners.names().contains(found.getProvisioner()))
                    .map(probe::parse)
                    .toList();
            List<StoreAnswer> stores = scope.includes(CheckName.STORES)
                    ? classes.stream()
                            .flatMap(found -> found.parsed().stream().map(parsed -> probe.ask(found.store(), parsed)))
                            .toList()
                    : List.of();
            return new ClusterObservation(
                    scope,
                    now,
                    version,
                    objects,
                    leases,
                    workloads,
                    provisioners,
                    scope.includes(CheckName.PERMISSIONS) ? reviews.of(leases.items(), workloads.items()) : List.of(),
                    classes,
                    stores,
                    objects.of(ReleasedBucketClass.class).stream()
                            .filter(found -> !probe.refusal(found).isEmpty())
                            .collect(Collectors.toMap(
                                    found -> found.getMetadata().getName(), probe::refusal)));
        }
    }

    /** If one of both kinds may not be listed, the other one is still known. */
    private Listing<RoleWorkload> workloads() {
        Map<String, String> labels = Map.of("app.kubernetes.io/name", "bucketwright");
        Listing<RoleWorkload> deployments = Requests.list(
                        "Deployment",
                        client.apps().deployments().inAnyNamespace().withLabels(labels))
                .map(RoleWorkload::of);
        return deployments.and(Requests.list(
                        "DaemonSet", client.apps().daemonSets().inAnyNamespace().withLabels(labels))
                .map(RoleWorkload::of));
    }

    /** Released kinds have no conditions: events have the reasons. */
    private Listing<Event> events() {
        FilterWatchListDeletable<Event, EventList, Resource<Event>> events =
                scope.namespace().isEmpty()
                        ? client.v1().events().inAnyNamespace()
                        : client.v1().events().inNamespace(scope.namespace());
        return Requests.list(
                "Event",
                events.withField("involvedObject.apiVersion", ReleasedNames.GROUP + "/" + ReleasedNames.VERSION));
    }

    /** A Lease that seems to have expired is read again: perhaps only the clock of its holder differs. */
    private Listing<RoleLease> leases() throws InterruptedException {
        Listing<RoleLease> first = readLeases();
        Instant now = Instant.now();
        Optional<Duration> wait = first.stream()
                .filter(lease -> lease.state(now) == RoleLease.State.EXPIRED)
                .map(lease -> lease.duration().dividedBy(RENEWALS_PER_LEASE))
                .max(Duration::compareTo);
        if (wait.isEmpty()) {
            return first;
        }
        Thread.sleep(wait.get().compareTo(LONGEST_WAIT) < 0 ? wait.get() : LONGEST_WAIT);
        Listing<RoleLease> second = readLeases();
        UnaryOperator<RoleLease> withRenewal = lease -> new RoleLease(
                lease.role(),
                lease.lease(),
                first.stream()
                        .anyMatch(before -> before.namespace().equals(lease.namespace())
                                && before.name().equals(lease.name())
                                && !before.renewTime().equals(lease.renewTime())));
        return new Listing<>(second.kind(), second.stream().map(withRenewal).toList(), second.problem());
    }

    /** If only the Leases in the namespace of the controllers may be listed, those of others are unknown. */
    private Listing<RoleLease> readLeases() {
        Listing<Lease> everywhere = Requests.list("Lease", client.leases().inAnyNamespace());
        List<Lease> found = everywhere.isComplete()
                ? everywhere.items()
                : Requests.list("Lease", client.leases().inNamespace(scope.controllerNamespace()))
                        .items();
        return new Listing<>(
                everywhere.kind(),
                found.stream().flatMap(lease -> RoleLease.of(lease).stream()).toList(),
                everywhere.problem());
    }

    /** All objects of a kind, or those of the namespace. */
    private <T extends HasMetadata> Listing<T> list(Class<T> type) {
        boolean inNamespace =
                Namespaced.class.isAssignableFrom(type) && !scope.namespace().isEmpty();
        return Requests.list(
                ListedObjects.name(type),
                inNamespace
                        ? client.resources(type).inNamespace(scope.namespace())
                        : client.resources(type).inAnyNamespace());
    }
}
