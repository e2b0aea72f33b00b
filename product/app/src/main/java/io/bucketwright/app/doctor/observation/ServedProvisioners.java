package io.bucketwright.app.doctor.observation;

import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.app.options.RoleLeaseName;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The provisioners of buckets that are installed, with their settings. Flags of the command override them.
 *
 * @param found as the Leases of leaders and the Deployments of the chart say
 * @param ignored namespaces whose Leases or Deployments say something, but where tenants can write
 * @param complete whether every installed provisioner is known
 */
public record ServedProvisioners(
        List<PublishedSettings> found, Set<String> ignored, boolean complete, DoctorScope scope) {

    private static final String DEFAULT_STORE = "s3";

    public ServedProvisioners {
        found = List.copyOf(found);
        ignored = Set.copyOf(ignored);
    }

    /**
     * Leaders publish their flags. What has not led yet has them in its Deployment.
     *
     * @param trusted whether only administrators can write in a namespace
     */
    static ServedProvisioners of(
            Listing<RoleLease> leases,
            Listing<RoleWorkload> workloads,
            Predicate<String> trusted,
            Instant now,
            DoctorScope scope) {
        List<Installed> all = Stream.concat(
                        leases.stream()
                                .sorted(Comparator.comparing(lease -> lease.state(now)))
                                .flatMap(lease -> PublishedSettings.of(lease.lease())
                                        .map(settings -> new Installed(lease.namespace(), settings))
                                        .stream()),
                        workloads.stream()
                                .flatMap(
                                        workload -> workload
                                                .settings()
                                                .map(settings -> new Installed(workload.namespace(), settings))
                                                .stream()))
                .toList();
        Set<String> ignored = new TreeSet<>();
        all.stream().map(Installed::namespace).filter(trusted.negate()).forEach(ignored::add);
        // A leader of a former version does not say what it serves.
        boolean silent = leases.stream()
                .anyMatch(lease -> lease.role() == LeaseRole.BUCKETS
                        && PublishedSettings.of(lease.lease()).isEmpty());
        return new ServedProvisioners(
                all.stream()
                        .filter(installed -> !ignored.contains(installed.namespace()))
                        .map(Installed::settings)
                        .toList(),
                ignored,
                leases.isComplete() && workloads.isComplete() && ignored.isEmpty() && !silent,
                scope);
    }

    private record Installed(String namespace, PublishedSettings settings) {}

    /** The names in StorageClasses. */
    public Set<String> names() {
        return scope.provisioners().isEmpty() ? installed() : scope.provisioners();
    }

    private Set<String> installed() {
        Set<String> names = new LinkedHashSet<>(Set.of(RoleLeaseName.DEFAULT_PROVISIONER));
        found.forEach(settings -> names.add(settings.provisioner()));
        return names;
    }

    /** Whether a controller of Bucketwright serves it. */
    public boolean serves(String provisioner) {
        return names().contains(provisioner) || installed().contains(provisioner);
    }

    /** Whether a controller of Bucketwright serves it, or one that is not known may do so. */
    public boolean mayServe(String provisioner) {
        return !complete || serves(provisioner);
    }

    /** What its controllers were told: two of them can serve a namespace each, with different stores. */
    List<PublishedSettings> of(String provisioner) {
        List<PublishedSettings> settings = found.stream()
                .filter(any -> any.provisioner().equals(provisioner))
                .toList();
        return (settings.isEmpty()
                        ? Stream.of(new PublishedSettings(provisioner, DEFAULT_STORE, Map.of(), ""))
                        : settings.stream())
                .map(any -> new PublishedSettings(
                        provisioner,
                        scope.store().isEmpty() ? any.store() : scope.store(),
                        scope.classDefaults().isEmpty() ? any.classDefaults() : scope.classDefaults(),
                        ""))
                .distinct()
                .toList();
    }
}
