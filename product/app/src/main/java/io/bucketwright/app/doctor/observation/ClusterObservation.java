package io.bucketwright.app.doctor.observation;

import io.bucketwright.app.command.ObjectTime;
import io.bucketwright.app.options.PublishedSettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster at one moment, as far as the user may see it.
 *
 * @param serverVersion the version of the API server, such as {@code v1.36.3}
 * @param objects of the kinds that the checks need; of events, only those about kinds of {@code objectstorage.k8s.io}
 * @param workloads Deployments and DaemonSets of the Helm chart
 * @param classes the StorageClasses of these provisioners
 * @param refused what a driver of Bucketwright refuses in the parameters of a class of {@code objectstorage.k8s.io}, by the
 *     name of the class
 */
public record ClusterObservation(
        DoctorScope scope,
        Instant now,
        String serverVersion,
        ListedObjects objects,
        Listing<RoleLease> leases,
        Listing<RoleWorkload> workloads,
        ServedProvisioners provisioners,
        List<AccountAccess> access,
        List<ParsedClass> classes,
        List<StoreAnswer> stores,
        Map<String, String> refused) {

    public ClusterObservation {
        access = List.copyOf(access);
        classes = List.copyOf(classes);
        stores = List.copyOf(stores);
        refused = Map.copyOf(refused);
    }

    /** The objects of a kind. */
    public <T extends HasMetadata> Listing<T> all(Class<T> kind) {
        return objects.of(kind);
    }

    /** Everything that was listed. */
    public Stream<Listing<?>> listings() {
        return Stream.concat(objects.byKind().values().stream(), Stream.of(leases, workloads));
    }

    /** How long ago that time of an object's metadata is; empty if there is no such time. */
    public Optional<Duration> since(@Nullable String timestamp) {
        return ObjectTime.parse(timestamp).map(time -> Duration.between(time, now));
    }

    /** Whether an object is older than a claim should be until it is ready. */
    public boolean isOverdue(HasMetadata object) {
        return since(object.getMetadata().getCreationTimestamp())
                .filter(age -> age.compareTo(scope.stuckAfter()) >= 0)
                .isPresent();
    }

    /** Empty also if the user may not list the classes. */
    public Optional<StorageClass> storageClass(String name) {
        return all(StorageClass.class).stream()
                .filter(found -> found.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** Whether a process leads in a role, in whatever namespace. */
    public boolean isLed(LeaseRole role) {
        return leases.stream().anyMatch(lease -> lease.role() == role && isLed(lease));
    }

    /** Whether a process leads that serves this provisioner; one that does not say what it serves may. */
    public boolean isServed(String provisioner) {
        return leases.stream()
                .filter(lease -> lease.role() == LeaseRole.BUCKETS && isLed(lease))
                .map(lease -> PublishedSettings.serves(lease.lease()))
                .anyMatch(serves -> serves.isEmpty() || serves.equals(provisioner));
    }

    /** The same for a class of directories. Their Leases name the provisioner or the classes. */
    public boolean isServedByDirectories(StorageClass storageClass) {
        return leases.stream()
                .filter(lease -> lease.role() == LeaseRole.DIRECTORIES && isLed(lease))
                .map(lease -> PublishedSettings.serves(lease.lease()))
                .anyMatch(serves -> serves.isEmpty()
                        || serves.equals(storageClass.getProvisioner())
                        || List.of(serves.split(","))
                                .contains(storageClass.getMetadata().getName()));
    }

    public boolean isLed(RoleLease lease) {
        return lease.state(now) == RoleLease.State.LEADING;
    }
}
